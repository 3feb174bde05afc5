/// A failure that a server describes in an envelope: `{"status":"error","message":"…","code":404}`.
///
/// The message may be a string, an array of strings, or an object with the messages of each field. A number counts as a
/// string, and a `null` is left out.
///
/// ```swift
/// let route = Route<[User]>.get("users").failing(with: ServiceFailure.self)       // for a status that is not 2xx
/// var client = client
/// client.raw.append(Unwrap("data"))                                               // for failures with a status of 200
/// do {
///     _ = try await client.fetch(route)
/// } catch let error as CallError {
///     print(error.failure(as: ServiceFailure.self)?.messages ?? [])               // in both cases
/// }
/// ```
public struct ServiceFailure: Error, Sendable, Hashable, RawDecodable {
    /// The server's code: a number or a string in the JSON.
    public let code: String?
    /// All messages in the server's order, including the messages of fields.
    public let messages: [String]
    /// The messages of each field, if the message is an object.
    public let fields: [String: [String]]

    /// Reads the failure. Looks for the message in `message`, `error`, `errors` and `data`, in this order.
    /// - Throws: ``MappingError`` if the value is not an object, or if the message has another form.
    public static func from(raw: Json) throws -> ServiceFailure {
        try raw.requireObject()
        let code = raw["code"]?.textOrNumber
        let key = ["message", "error", "errors", "data"].first { raw[$0].map { !$0.isNull } ?? false }
        guard let key, let message = raw[key] else { return ServiceFailure(code: code, messages: [], fields: [:]) }
        return try locating(at: .key(key), owner: "ServiceFailure") {
            guard message.kind == .object else {
                return ServiceFailure(code: code, messages: try texts(of: message), fields: [:])
            }
            var fields: [String: [String]] = [:]
            var messages: [String] = []
            // An object with a string `message` is the error itself, so its `code` is not the message of a field.
            let isError = message["message"]?.string != nil
            for (field, value) in message.effectiveMembers where !(isError && field == "code") {
                let texts = try locating(at: .entry(field)) { try self.texts(of: value) }
                fields[field, default: []] += texts
                messages += texts
            }
            return ServiceFailure(code: code ?? message["code"]?.textOrNumber, messages: messages, fields: fields)
        }
    }

    private static func texts(of value: Json) throws -> [String] {
        if value.kind == .array {
            return try value.elements.enumerated()
                .flatMap { index, element in
                    try locating(at: .index(index)) { try text(of: element) }
                }
        }
        return try text(of: value)
    }

    /// Returns the text of a string or number, or the `message` of an object. Returns nothing for `null`.
    private static func text(of value: Json) throws -> [String] {
        if value.isNull { return [] }
        if let text = value.textOrNumber ?? value["message"]?.string { return [text] }
        throw MappingError(MappingIssue(.wrongType, expected: "a message", found: value.found))
    }
}

extension ServiceFailure: Redacted {
    /// The number of messages: `ServiceFailure(2 messages)`.
    public var description: String { "ServiceFailure(\(messages.count) messages)" }
}
