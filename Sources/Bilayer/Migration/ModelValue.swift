import Foundation

/// A value of a model as a tree, which is compared with the tree of the other source.
indirect enum ModelValue {
    /// `nil`, the `null` of a JSON value, or the place where a reference cycle ends.
    case nothing
    case bool(Bool)
    /// A number, or the seconds of a date: its exact text, and the value for comparisons with a tolerance.
    case number(text: String, value: Double)
    case text(String)
    /// The elements of an array or a set. Those of a set have no order.
    case list([ModelValue], isOrdered: Bool)
    /// The stored properties of a struct, a class or a tuple, or the members of a JSON object, by their names.
    case fields([Field])
    /// The members of a dictionary.
    case entries([ModelKey: ModelValue])
    /// A case of an enum with its associated values.
    case variant(name: String, ModelValue)
    /// A value that is compared by `==`.
    case equatable(any Equatable)
    /// A value, such as a closure, whose properties are not read, and that has no JSON and no `==`.
    case notComparable

    /// A property. It is a struct, because with a tuple the compiler (6.3) reports a circular reference, depending on
    /// which files it compiles together.
    struct Field {
        let name: String
        let value: ModelValue
    }

    /// Returns the property with this name, or the member of a dictionary with this key.
    func field(_ name: String) -> ModelValue? {
        switch self {
        case .fields(let fields): fields.first { $0.name == name }?.value
        case .entries(let entries): entries.first { $0.key.text == name }?.value
        default: nil
        }
    }

    var isContainer: Bool {
        switch self {
        case .list, .fields, .entries, .variant: true
        default: false
        }
    }

    /// The type and the length. Never contains the value.
    var found: MappingIssue.Found {
        switch self {
        case .nothing: .init(type: "nothing")
        case .bool: .init(type: "bool")
        case .number: .init(type: "number")
        case .text(let text): .init(type: "string", length: text.count)
        case .list(let elements, _): .init(type: "array", length: elements.count)
        case .fields(let fields): .init(type: "object", length: fields.count)
        case .entries(let entries): .init(type: "object", length: entries.count)
        case .variant: .init(type: "enum case")
        case .equatable(let value): .init(type: typeName(type(of: value)))
        case .notComparable: .init(type: "value")
        }
    }

    /// The value as text, for reports that show it, and for sorting and pairing.
    var shownText: String {
        switch self {
        case .nothing: "nil"
        case .bool(let value): "\(value)"
        case .number(let text, _): text
        case .text(let text): "\"\(text)\""
        case .list(let elements, _): "[" + elements.map(\.shownText).joined(separator: ", ") + "]"
        case .fields(let fields):
            "{" + fields.map { "\($0.name): \($0.value.shownText)" }.joined(separator: ", ") + "}"
        case .entries(let entries):
            "{" + Self.inOrder(entries).map { "\($0.key.text): \($0.value.shownText)" }.joined(separator: ", ") + "}"
        case .variant(let name, let value): "\(name)(\(value.shownText))"
        case .equatable(let value): "\(value)"
        case .notComparable: "?"
        }
    }
}

/// A key of a dictionary.
struct ModelKey: Hashable {
    /// The key as text, for paths.
    let text: String
    private let isText: Bool
    /// The values in the key that have no visible properties. They distinguish keys with equal texts, because an app
    /// can define the texts of such values.
    private let parts: [AnyHashable]

    init(_ value: ModelValue) {
        if case .text(let text) = value {
            self.init(text: text, isText: true, parts: [])
        } else {
            self.init(text: value.shownText, isText: false, parts: value.hashableParts)
        }
    }

    private init(text: String, isText: Bool, parts: [AnyHashable]) {
        self.text = text
        self.isText = isText
        self.parts = parts
    }
}

extension ModelValue {
    /// Returns the members sorted by the texts of their keys. Members with equal texts are sorted by the texts of their
    /// values.
    static func inOrder(_ entries: [ModelKey: ModelValue]) -> [(key: ModelKey, value: ModelValue)] {
        entries.sorted { one, other in
            if one.key.text != other.key.text { return one.key.text < other.key.text }
            return one.value.shownText < other.value.shownText
        }
    }

    /// The values inside this value that have no visible properties and can be hashed.
    fileprivate var hashableParts: [AnyHashable] {
        switch self {
        case .list(let elements, _): elements.flatMap(\.hashableParts)
        case .fields(let fields): fields.flatMap(\.value.hashableParts)
        case .variant(_, let value): value.hashableParts
        case .equatable(let value): (value as? any Hashable).map { [AnyHashable($0)] } ?? []
        default: []
        }
    }

    /// Whether this value is `nil`, or an optional that contains only `nil`. An optional around such a value is marked
    /// (``optional(_:)``), because it would otherwise be equal to `nil`.
    var isLikeNothing: Bool {
        switch self {
        case .nothing: true
        case .variant(Self.someName, let value): value.isLikeNothing
        default: false
        }
    }

    /// Returns the value of an optional that is not `nil`, but contains `nil` (`.some(nil)`).
    static func optional(_ value: ModelValue) -> ModelValue { .variant(name: someName, value) }

    private static var someName: String { "some" }
}

extension ModelValue {
    init(_ json: Json) {
        switch json.kind {
        case .null: self = .nothing
        case .bool: self = .bool(json.bool == true)
        case .string: self = .text(json.string ?? "")
        case .number: self = .number(text: json.numberText ?? "", value: json.double ?? .nan)
        case .array: self = .list(json.elements.map { ModelValue($0) }, isOrdered: true)
        case .object: self = .fields(json.effectiveMembers.map { Field(name: $0.key, value: ModelValue($0.value)) })
        }
    }
}
