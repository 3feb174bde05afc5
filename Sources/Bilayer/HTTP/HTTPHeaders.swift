/// The header fields of a request or a response (RFC 9110 §5), in order. Names are compared without case. Fields with
/// equal names are all stored.
///
/// ```swift
/// var headers: HTTPHeaders = [.accept: "application/json", "X-Trace": "7"]
/// headers[.authorization] = "Bearer \(token)"          // one field of that name
/// headers.append("b", for: "X-Tag")                    // one more
/// print(headers["x-trace"] ?? "-")                     // 7
/// ```
///
/// A field is refused if its name is not a token or its value contains CR, LF or NUL. A refused field is not stored, so
/// no transport can send it, and its name is added to ``refused``. A request with refused fields is not sent
/// (``HTTPRequest/validate()``), so no field is omitted silently.
public struct HTTPHeaders: Sendable, Hashable {
    /// One header field.
    public struct Field: Sendable, Hashable {
        /// The field's name.
        public let name: Name
        /// The field's value.
        public let value: String
    }

    private var fields: [Field] = []
    /// The names of the refused fields, each once. Setting a valid value or removing the field removes its name from
    /// this list.
    public private(set) var refused: [Name] = []

    /// Makes headers without fields.
    public init() {}

    /// All values of a field as one value, joined by `", "`, cookies by `"; "` (RFC 9110 §5.3, RFC 9113 §8.2.3). `nil`
    /// if there is no such field.
    ///
    /// Setting a value replaces all fields with the name by one, at the position of the first. Setting `nil` removes
    /// them.
    public subscript(name: Name) -> String? {
        get {
            let values = values(for: name)
            return values.isEmpty ? nil : values.joined(separator: name == .cookie ? "; " : ", ")
        }
        set {
            let index = fields.firstIndex { $0.name == name }
            remove(name)
            guard let newValue else { return }
            insert(newValue, for: name, at: index ?? fields.endIndex)
        }
    }

    /// Returns the values of all fields with a name, in order.
    ///
    /// A value that is a list, such as `a, b`, is not split. `URLSession` joins repeated fields of a response by `",
    /// "`, so there they are one value.
    public func values(for name: Name) -> [String] {
        fields.compactMap { $0.name == name ? $0.value : nil }
    }

    /// Appends a field, even if there is already a field with the name.
    public mutating func append(_ value: String, for name: Name) {
        insert(value, for: name, at: fields.endIndex)
    }

    /// Removes all fields with a name.
    public mutating func remove(_ name: Name) {
        fields.removeAll { $0.name == name }
        refused.removeAll { $0 == name }
    }

    /// Returns these headers with the fields of `others`, which replace fields with equal names. A name that `others`
    /// refuses is refused in the result. A name that these headers refuse stays refused if `others` has no field with
    /// it.
    func replacing(with others: HTTPHeaders) -> HTTPHeaders {
        if others.isEmpty && others.refused.isEmpty { return self }
        var headers = self
        for field in others { headers.remove(field.name) }
        headers.fields += others.fields
        for name in others.refused where !headers.refused.contains(name) { headers.refused.append(name) }
        return headers
    }

    /// The fields, with all `Cookie` fields joined to one at the position of the first. A server may read only one (RFC
    /// 6265 §5.4).
    var joiningCookies: HTTPHeaders {
        guard values(for: .cookie).count > 1 else { return self }
        var headers = self
        headers[.cookie] = self[.cookie]
        return headers
    }

    private mutating func insert(_ value: String, for name: Name, at index: Int) {
        if name.isValid, isValidFieldValue(value) {
            fields.insert(Field(name: name, value: value), at: index)
        } else if !refused.contains(name) {
            refused.append(name)
        }
    }
}

extension HTTPHeaders: RandomAccessCollection {
    /// The position of the first field.
    public var startIndex: Int { fields.startIndex }
    /// The position after the last field.
    public var endIndex: Int { fields.endIndex }
    /// The field at a position.
    public subscript(position: Int) -> Field { fields[position] }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    /// Makes headers from a literal. A name that occurs twice makes two fields.
    public init(dictionaryLiteral elements: (Name, String)...) {
        for (name, value) in elements { append(value, for: name) }
    }
}

extension HTTPHeaders: Redacted {
    /// The fields, one on each line. Secret values are omitted (``Name/isSecret``).
    public var description: String { map(\.description).joined(separator: "\n") }
}

extension HTTPHeaders.Field: Redacted {
    /// Name and value. A secret value is omitted (``HTTPHeaders/Name/isSecret``), and so are the secrets of addresses
    /// in any other value.
    public var description: String { "\(name): \(printableValue)" }

    private var printableValue: String {
        if name.isSecret { return "<redacted>" }
        return redactedAddresses(in: value, everyWordIsAnAddress: name == .location || name == .contentLocation)
    }
}

/// Whether a value contains no CR, LF or NUL. These characters end or split a field for some recipients (RFC 9110
/// §5.5).
private func isValidFieldValue(_ value: String) -> Bool {
    !value.utf8.contains { $0 == 0x0D || $0 == 0x0A || $0 == 0 }
}

extension HTTPHeaders {
    /// Whether the body of the message is compressed; `identity` says that it is not (RFC 9110 §12.5.3).
    package var isEncoded: Bool { self[.contentEncoding].map { $0.lowercased() != "identity" } ?? false }
}
