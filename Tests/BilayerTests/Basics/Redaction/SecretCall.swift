import Bilayer
import BilayerTesting
import Foundation

@testable import Bilayer

/// A call through most middlewares with a secret in each place, and every text that is printed about the call.
struct SecretCall: Sendable {
    enum Outcome: String, CaseIterable, Sendable {
        case success
        case status
        case notJson
        case cutBody
        case reset
        case notHTTP
        case redirectedAway
        case refusedToken
        case tooLarge
    }

    typealias Printed = [(kind: String, text: String)]

    struct Result {
        let isSuccess: Bool
        let texts: Printed
    }

    /// The secrets as they are, and as they are sent: encoded for `Basic`.
    static let forms = ["s3cr3t", Data("ada:s3cr3t-user".utf8).base64EncodedString()]

    let server: FaultServer
    let cache: HTTPCache
    let recorder: RecordingTransport
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("bilayer-\(UUID().uuidString)")
    let texts = Locked<Printed>([])
    private let client: Client

    init(_ choice: BuiltInTransport, _ outcome: Outcome) async throws {
        server = try await FaultServer.start()
        outcome.script(server)
        cache = HTTPCache(.disk(at: folder, maximumBytes: 1 << 20))
        recorder = RecordingTransport(try choice.transport(maximumResponseBytes: 10_000))
        let address = server.url.absoluteString.replacingOccurrences(of: "//", with: "//ada:s3cr3t-user@")
        let base = URL(string: address) ?? server.url
        let tokens = BearerTokens("s3cr3t-token") {
            throw RefreshRefused(text: "s3cr3t-refresh", address: "https://h.example/?refresh_token=s3cr3t-refresh")
        }
        let transport =
            recorder
            .wrapped(by: HeaderProvider { _ in [.cookie: "id=s3cr3t-cookie"] })
            .wrapped(by: .circuitBreaker(failures: 5))
            .wrapped(by: .failover([base, base]))
            .wrapped(by: .cache(cache))
            .wrapped(by: .authentication(tokens))
            .wrapped(by: .retry(.exponential(attempts: 2, firstWait: .zero)))
            .wrapped(by: .deduplication)
        var client = Client(baseURL: base, transport: transport)
        client.headers = ["X-Api-Key": "s3cr3t-header"]
        client.observer = CallObservers([
            Printing(texts: texts),
            CallLog(.timeline, asCURL: true) { [texts] text in texts.withLock { $0.append(("log", text)) } },
        ])
        self.client = client
    }

    func removeFolder() { try? FileManager.default.removeItem(at: folder) }

    /// Sends a body, and then requests a resource that a cache may store.
    func run() async -> Result {
        let body: Json = ["password": "s3cr3t-body"]
        let saved = await outcome(of: Route<Json>.put("users/{id}", Self.id, query: Self.query, body: body))
        let asked = await outcome(of: Route<Json>.get("users/{id}", Self.id, query: Self.query))
        return Result(isSuccess: saved.isSuccess && asked.isSuccess, texts: saved.texts + asked.texts)
    }

    private static let id: PathArguments = ["id": "s3cr3t-argument"]
    private static let query: QueryItems = ["page": "2", "token": "s3cr3t-query"]

    private func outcome(of route: Route<Json>) async -> Result {
        var texts = Self.texts(of: [route, route.endpoint, client, client.pipeline(for: route), cache, recorder])
        do {
            let answer = try await client.send(route)
            texts += Self.texts(of: [answer, answer.response as Any])
            return Result(isSuccess: true, texts: texts)
        } catch let error as CallError {
            texts += Self.texts(of: [error, error.underlyingError, error.request as Any, error.response as Any])
            texts += Self.texts(of: error.issues + error.events)
            if let fault = error.underlyingError as? TransportError {
                texts += Self.texts(of: [fault.response as Any, fault.detail as Any])
            }
        } catch {
            texts += Self.texts(of: [error])
        }
        return Result(isSuccess: false, texts: texts + Self.texts(of: recorder.exchanges))
    }

    private static func texts(of values: [Any]) -> Printed { values.flatMap { Texts.all(of: $0) } }

    /// Prints every event, with its request, response, metrics or error.
    private struct Printing: CallObserver {
        let texts: Locked<Printed>

        func observe(_ event: CallEvent, in call: CallContext) {
            var values: [Any] = [event, event.kind, event.text, call]
            switch event.kind {
            case .sent(let request): values += [request, request.curlCommand]
            case .received(let response): values.append(response)
            case .lost(let error): values.append(error)
            case .ended(let metrics, let error): values += [metrics, error as Any]
            case .stageEnded(_, let error): values.append(error as Any)
            case .note, .began: break
            }
            let printed = SecretCall.texts(of: values)
            texts.withLock { $0 += printed }
        }
    }
}

/// The error of an app's own refresh. Its description shows all its properties.
private struct RefreshRefused: Error, CustomStringConvertible {
    let text: String
    let address: String
    var description: String { "\(text) at \(address)" }
}

extension SecretCall.Outcome {
    fileprivate func script(_ server: FaultServer) {
        let reply = reply
        for path in ["/users/s3cr3t-argument", "/moved"] {
            for method in [HTTPMethod.get, .put] { server.on(method, path, reply) }
        }
        server.on(.get, "/moved", .text("s3cr3t-answer", status: 404))
        server.on(.put, "/moved", .text("s3cr3t-answer", status: 404))
    }

    private var reply: Reply {
        let headers: HTTPHeaders = [
            .setCookie: "id=s3cr3t-set; Path=/", "Cache-Control": "private, max-age=60", "Vary": "X-Api-Key, Cookie",
        ]
        let secret = #"{"password":"s3cr3t-answer"}"#
        return switch self {
        case .success: .json(#"{"name":"Ada"}"#, headers: headers)
        case .status: .json(secret, status: 500, headers: headers)
        case .notJson: .json("{\"s3cr3t-answer\" s3cr3t-answer", headers: headers)
        case .cutBody: .resetInBody(after: 4)
        case .reset: .resetBeforeAnswer
        case .notHTTP: .raw("s3cr3t-answer\r\ns3cr3t-answer: s3cr3t-answer\r\n\r\n")
        case .redirectedAway: .redirect(to: "/moved?code=s3cr3t-location#s3cr3t-location", status: 307)
        case .refusedToken: .json(secret, status: 401, headers: headers)
        case .tooLarge: .text(String(repeating: "s3cr3t-answer", count: 2_000))
        }
    }
}
