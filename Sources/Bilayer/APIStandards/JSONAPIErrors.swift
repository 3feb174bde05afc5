/// The `errors` of a JSON:API document: the reasons why a request failed.
///
/// ```swift
/// let route = Route<JSONAPIDocument>.get("articles").failing(with: JSONAPIErrors.self)
/// ```
public struct JSONAPIErrors: Sendable, Hashable, RawDecodable {
    /// An error object (JSON:API §11).
    public struct Failure: Sendable, Hashable, RawDecodable {
        /// The HTTP status as text, for example `422`.
        public let status: String?
        /// The server's code for the error.
        public let code: String?
        /// A summary of the kind of problem.
        public let title: String?
        /// The description of this occurrence.
        public let detail: String?
        /// The JSON pointer to the value in the request's document that caused the error.
        public let pointer: String?

        /// Reads an error object.
        /// - Throws: ``MappingError`` if the value is not an object.
        public static func from(raw: Json) throws -> Failure {
            try raw.requireObject()
            return Failure(
                status: raw["status"]?.textOrNumber,
                code: raw["code"]?.textOrNumber,
                title: raw["title"]?.string,
                detail: raw["detail"]?.string,
                pointer: raw["source"]?["pointer"]?.string
            )
        }
    }

    /// The errors in the server's order.
    public let errors: [Failure]

    /// Reads the errors of a document.
    /// - Throws: ``MappingError`` if the document has no list `errors`, or if an element of the list is not an object.
    ///   Under a policy such as ``MappingPolicy/salvaging``, such an element is left out instead.
    public static func from(raw: Json) throws -> JSONAPIErrors { JSONAPIErrors(errors: try raw.decode("errors")) }
}

extension JSONAPIErrors: Redacted {
    /// The number of errors.
    public var description: String { "JSONAPIErrors(\(errors.count) errors)" }
}
extension JSONAPIErrors.Failure: Redacted {}
