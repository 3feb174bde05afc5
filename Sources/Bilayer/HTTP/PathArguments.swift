/// The arguments of a path template, by name.
///
/// ```swift
/// let route = Route<Photo>.get("users/{id}/photos/{photo}", ["id": 7, "photo": "a/b"])   // users/7/photos/a%2Fb
/// ```
/// Each argument is escaped, so it stays within its segment. An argument that would change the path even when escaped
/// is an error when the request is made: an empty one, `.`, `..`, and one with such a part between slashes or
/// backslashes.
public struct PathArguments: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    private var values: [String: String]

    /// Makes arguments from names and values; of two with equal names the last one counts.
    public init(dictionaryLiteral elements: (String, any RouteArgument)...) {
        values = [:]
        for (name, argument) in elements { values[name] = argument.routeArgument }
    }

    /// The names, in no particular order.
    public var names: [String] { Array(values.keys) }

    /// The first name, in alphabetical order, that is not in braces in a template.
    func firstName(missingIn template: Substring) -> String? {
        values.keys.filter { !template.hasPlaceholder($0) }.min()
    }

    /// An argument as text, before escaping.
    public subscript(name: String) -> String? { values[name] }
}

extension Substring {
    /// The name in braces that the text begins with; `nil` if the brace is not closed.
    var leadingPlaceholder: Substring? {
        let name = self[utf8.index(after: startIndex)...]
        return name.utf8.firstIndex(of: UInt8(ascii: "}")).map { name[..<$0] }
    }

    /// Whether a name in braces is in the text.
    fileprivate func hasPlaceholder(_ name: String) -> Bool {
        var rest = self
        while let open = rest.utf8.firstIndex(of: UInt8(ascii: "{")), let found = rest[open...].leadingPlaceholder {
            if found == name { return true }
            rest = rest[found.endIndex...]
        }
        return false
    }
}
