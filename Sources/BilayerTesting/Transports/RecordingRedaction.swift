import Bilayer
import Foundation

/// Takes secrets out of requests and responses, so that a recording can be committed.
///
/// Each kind of thing has one entry. What is inside of something else comes to the entry of its kind again:
///
/// | Thing | Entry | Rule |
/// |---|---|---|
/// | the body of a message or part | `body` | by its media type: parts, a message, a form, or a text |
/// | a header field of a message or part | `field` | by its name; the value of another one is a text |
/// | an item of a query or form | `form` | by its name; the value of another one is a text |
/// | a text, also a string of JSON | `text` | JSON, GraphQL, or text with members, elements and addresses |
struct RecordingRedaction {
    /// A value that is secret.
    struct Secret: Equatable {
        let text: String
        /// The name that says so.
        let name: String
        var isNumber = false
    }

    let names: SecretNames
    /// The text, or the digits of the number, that replaces a secret.
    let replace: (Secret) -> String
    /// Whether bodies are written as the identity of a request: equal for equal ones, and always text.
    private(set) var isKey = false
    private var depth = 0

    /// The text that replaces a part of a secret, and a body that cannot be written again.
    static let replacement = "redacted"
    /// How many texts and bodies, one inside the other, are looked into. A deeper one is left out: it costs stack.
    private static let mostDepth = 16
    /// Fields that differ from run to run.
    private static let unstable: Set<HTTPHeaders.Name> = ["Date", "Age", "Content-Length", "Connection", "Keep-Alive"]

    init(_ names: SecretNames, replacingBy replace: @escaping (Secret) -> String) {
        self.names = names
        self.replace = replace
    }

    /// For what is inside of a text or body; `nil` if that is too deep.
    var inside: RecordingRedaction? {
        guard depth < Self.mostDepth else { return nil }
        var inside = self
        inside.depth += 1
        return inside
    }

    /// The identity of a request: equal for a recorded and a replayed one.
    func key(of request: HTTPRequest) -> Recording.RequestKey {
        var redaction = self
        redaction.isKey = true
        let parts = URLComponents(url: request.url, resolvingAgainstBaseURL: false)
        // Items of one name are a list, whose order counts.
        let items = (parts?.percentEncodedQueryItems ?? []).enumerated()
            .sorted { ($0.element.name, $0.offset) < ($1.element.name, $1.offset) }
            .map { "\($0.element.name)=\($0.element.value ?? "")" }
        let query = items.isEmpty ? "" : "?" + form(items.joined(separator: "&"), isQuery: true)
        let body = request.body?.data ?? request.body?.file.flatMap { try? Data(contentsOf: $0) }
        let mediaType = request.headers[.contentType].flatMap { MediaType($0) }
        return .init(
            method: "\(request.method)",
            target: addresses(in: (parts?.percentEncodedPath ?? "")[...], isAddress: true) + query,
            body: body.map { String(decoding: redaction.body($0, mediaType), as: UTF8.self) } ?? ""
        )
    }

    func redacted(_ response: HTTPResponse) -> HTTPResponse {
        var fields = HTTPHeaders()
        for field in response.headers where !Self.unstable.contains(field.name) {
            fields.append(self.field(field.name, field.value), for: field.name)
        }
        return HTTPResponse(
            status: response.status,
            headers: fields,
            body: body(response.body, response.mediaType)
        )
    }

    /// The value of a header field without secrets.
    func field(_ name: HTTPHeaders.Name, _ value: String) -> String {
        if names.hides(field: name) { return replace(Secret(text: value, name: name.rawValue)) }
        return text(value, isAddress: [.location, .contentLocation, .link].contains(name))
    }
}
