/// Writes the members of a JSON object as pairs of a name and a value, for queries and forms.
///
/// A member of a nested object has the name of the object, and its own key in brackets: `filter[price][max]=10`. A
/// member that is `null` is left out.
///
/// The JSON does not show whether a key is a name or data. So the paths of errors have `.entry` components, which
/// descriptions do not show.
struct FormStyle: Sendable {
    let arrays: FormArrays
    let booleans: FormBooleans
    let isSorted: Bool

    /// Returns the items of a JSON object.
    /// - Throws: ``MappingError`` with the path of a value that cannot be written, or that is too deep for the stack.
    func items(of value: Json) throws -> [QueryItems.Item] {
        guard value.kind == .object else { throw unwritable(value, expected: "an object") }
        var items: [QueryItems.Item] = []
        for (key, member) in value.effectiveMembers {
            try locating(at: .entry(key)) { try append(member, named: key, to: &items) }
        }
        return isSorted ? items.sortedByName() : items
    }

    private func append(_ value: Json, named name: String, to items: inout [QueryItems.Item]) throws {
        switch value.kind {
        case .null: break
        case .string, .number, .bool: items.append(QueryItems.Item(name: name, value: try text(of: value)))
        case .array where arrays == .commas: try appendList(value, named: name, to: &items)
        case .array: try appendElements(of: value, named: name, to: &items)
        case .object:
            try StackSpace.check()
            for (key, member) in value.effectiveMembers {
                try locating(at: .entry(key)) { try append(member, named: "\(name)[\(key)]", to: &items) }
            }
        }
    }

    private func appendElements(of array: Json, named name: String, to items: inout [QueryItems.Item]) throws {
        try StackSpace.check()
        for (index, element) in array.elements.enumerated() {
            let isContainer = element.kind == .array || element.kind == .object
            let elementName =
                switch arrays {
                case .brackets where !isContainer: "\(name)[]"
                case .repeated where !isContainer: name
                default: "\(name)[\(index)]"
                }
            try locating(at: .index(index)) { try append(element, named: elementName, to: &items) }
        }
    }

    private func appendList(_ array: Json, named name: String, to items: inout [QueryItems.Item]) throws {
        let texts = try array.elements.enumerated()
            .compactMap { index, element in
                try locating(at: .index(index)) { element.isNull ? nil : try listText(of: element) }
            }
        if !texts.isEmpty { items.append(QueryItems.Item(name: name, value: texts.joined(separator: ","))) }
    }

    private func listText(of element: Json) throws -> String {
        let text = try text(of: element)
        if text.utf8.contains(UInt8(ascii: ",")) { throw unwritable(element, expected: "a text without a comma") }
        return text
    }

    private func text(of scalar: Json) throws -> String {
        if let string = scalar.string { return string }
        if let number = scalar.numberText { return number }
        switch scalar.bool {
        case true?: return booleans == .words ? "true" : "1"
        case false?: return booleans == .words ? "false" : "0"
        case nil: throw unwritable(scalar, expected: "a string, number or Boolean value")
        }
    }

    private func unwritable(_ value: Json, expected: String) -> MappingError {
        MappingError(MappingIssue(.invalidValue, expected: expected, found: value.found))
    }
}

extension [QueryItems.Item] {
    /// The items as a body of `application/x-www-form-urlencoded` (WHATWG URL §5.2): a space is a `+`.
    var formText: String {
        map { "\(formEncoded($0.name))=\(formEncoded($0.value))" }.joined(separator: "&")
    }
}

private func formEncoded(_ text: String) -> String {
    // A `%` in the text has become `%25`, so each `%20` is a space.
    text.percentEncoded(keeping: .form).split(separator: "%20", omittingEmptySubsequences: false).joined(separator: "+")
}
