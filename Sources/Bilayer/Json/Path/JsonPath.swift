/// The path of a value inside a JSON document: the keys and indices that lead to it from the root.
///
/// The description of a path uses the common text form: `$` is the root, `.name` a member, `[3]` an element.
/// `["odd key"]` is a member whose key is not an identifier.
///
/// ```swift
/// let path: JsonPath = [.key("items"), .index(1), .key("unit price")]
/// print(path)                     // $.items[1]["unit price"]
/// print(path.withoutIndices)      // $.items[]["unit price"]
/// ```
///
/// The keys of a dictionary are data, so the description omits them (`$.scores.*.points`). ``components`` contains
/// them, and ``exactDescription`` shows them.
///
/// A ``MappingError`` builds its paths from the innermost value outwards. Code that rethrows an error prepends its own
/// path with ``MappingError/prefixed(by:)-(JsonPath)``.
public struct JsonPath: Sendable {
    /// One step from a container to a value inside it.
    public enum Component: Sendable {
        /// A member of an object, by its key.
        case key(String)
        /// A member of an object whose keys are data, such as a dictionary. ``JsonPath/description`` omits the key.
        case entry(String)
        /// An element of an array, counted from 0.
        case index(Int)
    }

    /// The steps from the root, outermost first.
    public var components: [Component] {
        didSet { madeKeys = [] }
    }

    /// The `.entry` components that are names of properties, not keys of the JSON: code has made these coding keys at
    /// run time. A ``KeyNaming`` converts them. They are stored by their distance from the end of the path, which does
    /// not change when components are prepended.
    private(set) var madeKeys: [Int] = []

    /// Makes a path from its steps.
    /// - Parameter components: The steps from the root, outermost first; none for the root itself.
    public init(_ components: [Component] = []) {
        self.components = components
    }

    /// The path of the document's root, `$`.
    public static let root = JsonPath()

    /// Whether this is the path of the root.
    public var isRoot: Bool { components.isEmpty }

    /// Returns this path with one more step at the end.
    public func appending(_ component: Component) -> JsonPath {
        JsonPath(components + [component], madeKeys: madeKeys.map { $0 + 1 })
    }

    /// Returns this path with one more step at the start: the path as seen from the container that has this path's root
    /// at `component`.
    public func prefixed(by component: Component) -> JsonPath {
        JsonPath([component] + components, madeKeys: madeKeys)
    }

    /// Returns `path` followed by this path: the path as seen from the document that has this path's root at `path`.
    public func prefixed(by path: JsonPath) -> JsonPath {
        if path.isRoot { return self }
        let outer = path.madeKeys.map { $0 + components.count }
        return JsonPath(path.components + components, madeKeys: madeKeys + outer)
    }

    /// Returns this path without its first components.
    func dropFirst(_ count: Int) -> JsonPath {
        let rest = Array(components.dropFirst(count))
        return JsonPath(rest, madeKeys: madeKeys.filter { $0 < rest.count })
    }

    /// Makes a path from its steps and its ``madeKeys``.
    init(_ components: [Component], madeKeys: [Int]) {
        self.components = components
        self.madeKeys = madeKeys
    }

    /// Whether the component at a position is the name of a property that code has made at run time.
    func isMadeKey(at position: Int) -> Bool {
        !madeKeys.isEmpty && madeKeys.contains(components.count - 1 - position)
    }

    /// The path as text without indices, `$.items[].price`. Paths to the same member of different array elements have
    /// equal texts.
    public var withoutIndices: String { render { _ in "[]" } }
}

extension JsonPath: Hashable {
    /// Whether both paths have equal components.
    public static func == (left: JsonPath, right: JsonPath) -> Bool { left.components == right.components }

    /// Hashes the components.
    public func hash(into hasher: inout Hasher) { hasher.combine(components) }
}

extension JsonPath: ExpressibleByArrayLiteral {
    /// Makes a path from its steps, outermost first.
    public init(arrayLiteral elements: Component...) {
        self.init(elements)
    }
}

extension JsonPath: Redacted {
    /// The path as text, `$.items[1].price`. Keys that are data are omitted: `$.scores.*`.
    public var description: String { render { "[\($0)]" } }

    private func render(index: (Int) -> String) -> String {
        components.reduce(into: "$") { text, component in
            switch component {
            case .index(let position): text += index(position)
            case .key(let key) where key.isIdentifier: text += "." + key
            case .entry: text += ".*"
            case .key(let key): text += "[\"" + key.escapedForPath + "\"]"
            }
        }
    }
}

extension JsonPath.Component: Hashable, Redacted {
    /// The key of a member; `nil` for an element.
    public var key: String? {
        switch self {
        case .key(let key), .entry(let key): key
        case .index: nil
        }
    }

    /// Whether two steps lead to the same value. Keys are compared by their bytes. ``key(_:)`` and ``entry(_:)`` with
    /// equal keys are equal.
    public static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.index(let left), .index(let right)): left == right
        default: left.key.flatMap { key in right.key?.hasSameBytes(as: key) } ?? false
        }
    }

    /// Hashes the key or the index.
    public func hash(into hasher: inout Hasher) {
        if case .index(let index) = self { hasher.combine(index) } else { hasher.combine(key) }
    }

    /// The step as the path's description shows it: `.price`, `[1]`, and `.*` for a key that is data.
    public var description: String { String(JsonPath([self]).description.dropFirst()) }
}

extension JsonPath {
    /// The path including keys that are data, `$.scores["7f3a"]`. Show it to developers only, and never write it to a
    /// log.
    public var exactDescription: String {
        JsonPath(components.map { component in component.key.map { .key($0) } ?? component }).description
    }
}

extension String {
    /// Whether the key can follow a dot: letters, digits and `_`, not starting with a digit.
    fileprivate var isIdentifier: Bool {
        guard let first = unicodeScalars.first, first == "_" || first.properties.isAlphabetic else { return false }
        return unicodeScalars.allSatisfy { $0 == "_" || $0.properties.isAlphabetic || ("0"..."9").contains($0) }
    }

    /// The key between quotes. Quotes, backslashes, control characters and line separators are escaped, so that a
    /// hostile key cannot start a new line.
    fileprivate var escapedForPath: String {
        unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "\"", "\\": text += "\\" + String(scalar)
            case _ where scalar.breaksLines:
                text += "\\u{\(String(scalar.value, radix: 16))}"
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}

extension Unicode.Scalar {
    /// Whether the scalar is a control character or ends a line.
    fileprivate var breaksLines: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
