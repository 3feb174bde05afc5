import Bilayer
import Foundation

// The demo observes its own calls like any app could: with one node at each boundary of the chain.

extension Client {
    /// Returns a client that prints the values which pass each stage.
    static func narrated(baseURL: URL) -> Client {
        var client = Client(baseURL: baseURL, transport: DefaultTransport().wrapped(by: NarrateWire()))
        client.raw.append(
            AnyNode(named: "NarrateJson") { json, _ in
                tell(
                    "Json",
                    json.kind == .array || json.kind == .object ? "\(json.kind) of \(json.count)" : "\(json.kind)"
                )
                return json
            }
        )
        client.entry.append(NarrateValue(label: "entry"))
        client.model.append(NarrateValue(label: "model"))
        return client
    }
}

/// A middleware around the transport. It prints the request as it is sent, and the bytes as they are received.
struct NarrateWire: Middleware {
    func intercept(
        _ request: HTTPRequest,
        in context: CallContext,
        next: some Node<HTTPRequest, HTTPResponse>
    ) async throws -> HTTPResponse {
        let line = "\(request.method) \(request.url.absoluteString)"
        tell("request", "\(line)\n\(request.headers)\n\(text(request.body?.data))")
        let response = try await next.process(request, in: context)
        tell("bytes", "\(response)\n\(text(response.body))")
        return response
    }

    private func text(_ body: Data?) -> String { body.map { String(decoding: $0, as: UTF8.self) } ?? "" }
}

/// A node that prints a value of any type and passes it on.
struct NarrateValue: PassthroughNode {
    let label: String

    func process<Value: Sendable>(_ value: Value, in context: CallContext) async throws -> Value {
        let elements = (value as? any Collection).map { $0.map { "\($0)" } } ?? ["\(value)"]
        tell(label, elements.joined(separator: "\n"))
        return value
    }
}
