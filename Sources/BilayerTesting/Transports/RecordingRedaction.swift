import Bilayer
import Foundation

/// Replaces the secrets in requests and responses, so that a recording can be committed.
///
/// There is one method for each kind of content. Content inside of other content is passed to the method for its own
/// kind:
///
/// | Content | Method | Rule |
/// |---|---|---|
/// | the body of a message or part | `body` | by its media type: parts, a message, a form, or a text |
/// | a header field of a message or part | `field` | by its name; a value that is not secret is a text |
/// | an item of a query or form | `form` | by its name; a value that is not secret is a text |
/// | a text, or a string in JSON | `text` | JSON, GraphQL, or text with members, elements and addresses |
struct RecordingRedaction {
    /// A secret value.
    struct Secret: Equatable {
        let text: String
        /// The name that shows that the value is secret.
        let name: String
        var isNumber = false
    }

    let names: SecretNames
    /// Returns the text that replaces a secret. For a number, the text has only digits.
    let replace: (Secret) -> String
    /// Whether bodies are written for a ``Recording/RequestKey``. In this form, equal bodies have equal texts, and
    /// every body is text.
    private(set) var isKey = false
    private var depth = 0

    /// The text that replaces content that cannot be written without secrets.
    static let replacement = "redacted"
    /// The maximum nesting of texts and bodies that are searched. Deeper content is replaced as a whole, because each
    /// level uses the stack.
    private static let maximumDepth = 16
    /// Fields that differ from run to run.
    private static let unstable: Set<HTTPHeaders.Name> = ["Date", "Age", "Content-Length", "Connection", "Keep-Alive"]

    init(_ names: SecretNames, replacingBy replace: @escaping (Secret) -> String) {
        self.names = names
        self.replace = replace
    }

    /// The redaction for the content of a text or a body; `nil` if the content is nested too deeply.
    var inside: RecordingRedaction? {
        guard depth < Self.maximumDepth else { return nil }
        var inside = self
        inside.depth += 1
        return inside
    }

    /// Returns the key of a request, which is equal for a recorded request and its replay.
    func key(of request: HTTPRequest) -> Recording.RequestKey {
        var redaction = self
        redaction.isKey = true
        let body = request.body?.data ?? request.body?.file.flatMap { try? Data(contentsOf: $0) }
        let mediaType = request.headers[.contentType].flatMap { MediaType($0) }
        return .init(
            method: "\(request.method)",
            target: target(of: request.url),
            body: body.map { bytes in
                // The secrets in compressed bytes are not found, so the whole bytes are one secret.
                if request.headers.isEncoded {
                    return replace(Secret(text: bytes.base64EncodedString(), name: "body"))
                }
                return String(decoding: redaction.body(bytes, mediaType), as: UTF8.self)
            } ?? ""
        )
    }

    /// Returns the path and the query of a request's address without secrets. The query items are sorted by name.
    private func target(of url: URL) -> String {
        let parts = URLComponents(url: url, resolvingAgainstBaseURL: false)
        // Items with equal names are a list, so they keep their order.
        let items = (parts?.percentEncodedQueryItems ?? []).enumerated()
            .sorted { ($0.element.name, $0.offset) < ($1.element.name, $1.offset) }
            .map { "\($0.element.name)=\($0.element.value ?? "")" }
        let query = items.isEmpty ? "" : "?" + form(items.joined(separator: "&"), isQuery: true)
        return addresses(in: (parts?.percentEncodedPath ?? "")[...], isAddress: true) + query
    }

    /// Returns the path and the query of a response's address without secrets.
    func place(of url: URL) -> Recording.Place {
        let parts = URLComponents(url: url, resolvingAgainstBaseURL: false)
        return .init(
            path: addresses(in: (parts?.percentEncodedPath ?? "")[...], isAddress: true),
            query: parts?.percentEncodedQuery.map { form($0, isQuery: true) }
        )
    }

    func redacted(_ response: HTTPResponse) -> HTTPResponse {
        var fields = HTTPHeaders()
        let isDated = response.hasTimesAfterDate
        for field in response.headers where !Self.unstable.contains(field.name) || field.name == .date && isDated {
            fields.append(self.field(field.name, field.value), for: field.name)
        }
        return HTTPResponse(
            status: response.status,
            headers: fields,
            body: body(response.body, response.mediaType)
        )
    }

    /// Returns the value of a header field without secrets.
    func field(_ name: HTTPHeaders.Name, _ value: String) -> String {
        if names.hides(field: name) { return replace(Secret(text: value, name: name.rawValue)) }
        return text(value, isAddress: [.location, .contentLocation, .link].contains(name))
    }
}
