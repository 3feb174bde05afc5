import Bilayer
import Foundation

/// A public type and values of it with ``Samples/secret`` in every field that can hold data.
struct Sample: Sendable, CustomStringConvertible {
    let type: String
    let isOfAnotherPlatform: Bool
    private let make: @Sendable () async -> [Any]

    init(_ type: String, isOfAnotherPlatform: Bool = false, _ values: @escaping @Sendable () async -> [Any]) {
        self.type = type
        self.isOfAnotherPlatform = isOfAnotherPlatform
        make = values
    }

    var values: [Any] { get async { await make() } }
    var description: String { type }
}

enum Samples {
    static let secret = "s3cr3t"

    static let redacted =
        http + routes + chain + cache + mapping + testing + middlewares + streams + pages + shapes
        + graphQL + webSockets + migration

    /// Types whose text is not a description of a call, and why they may show what they hold.
    static let exempt: [String: String] = {
        let byReason: [String: [String]] = [
            "the value itself, printed because somebody wants to see it": [
                "Json", "Json.Elements.Iterator", "Json.Members.Iterator", "Field", "Open", "TypedIdentifier",
                "LossyUpTo", "Either", "Enveloped", "GraphQLResponse", "FieldResult",
                "Default", "Formatted",
            ],
            "samples of a test, printed because they differ": ["ContractError", "ContractError.Problem"],
            "a schema, which an app publishes": ["GraphQLSchema"],
            "words of the code: names, kinds, rules, positions": [
                "HTTPMethod", "HTTPHeaders.Name", "HTTPStatus", "TransportError.Kind", "AuthenticationError.Kind",
                "ElementPolicy", "WebSocketCloseCode", "GraphQLOperationKind", "GraphQLErrorPolicy",
                "MigrationMode", "MigrationReport.Outcome", "MigrationTally", "ModelDifference.Kind",
                "CallPriority", "CredentialPolicy", "CallStage", "PageError.Kind", "CallLog.Detail", "Json.Kind",
                "MappingReport.Side", "MappingIssue.Severity", "MappingIssue.Kind", "MappingIssue.Found",
                "MappingIssue.SourceLocation",
                "CacheStatus", "CurlUnavailableError", "FaultServerError", "TransportConformance",
                "TransportConformance.Row", "TransportConformance.Outcome",
                "TransportConformance.Report", "TransportConformance.Report.Line", "Json.Elements.Index",
                "Json.Members.Index", "TestClock", "TestClock.Instant",
            ],
            "settings without values of a payload": [
                "CharsetPolicy", "FormArrays", "FormBooleans",
                "MappingPolicy", "MappingPolicy.UnknownKeys", "Base64Options", "Json.Format", "Json.ParsingOptions",
                "Json.ParsingOptions.DuplicateKeys", "Json.ParsingOptions.ByteOrderMark", "JsonDecoder.DateStrategy",
                "JsonDecoder.DataStrategy", "JsonDecoder.KeyStrategy", "JsonDecoder.NonConformingFloatStrategy",
                "JsonEncoder.DateStrategy", "JsonEncoder.DataStrategy", "JsonEncoder.KeyStrategy",
                "JsonEncoder.NonConformingFloatStrategy", "CachePolicy", "CacheUpdates", "Reconnection",
                "ServerCertificate", "DiskCacheError.Operation",
            ],
            "no stored values": [
                "ReadText", "ConvertModel", "MapRaw", "ParseBody", "WriteBody", "ConvertDTO", "MapEntry", "NoContent",
                "NoVariables",
            ],
            "no instances": [
                "AnyLoss", "AbsoluteURL", "URLReference", "Base64", "Base64URL", "FlexibleBool", "Quoted", "Lenient",
                "OneOrMany", "EmptyAsNil", "ISO8601Duration", "UnixSeconds", "UnixMilliseconds", "DateOnly", "RFC3339",
            ],
            "not copyable, so nothing can print it": ["JsonWriter", "JsonArrayWriter", "JsonObjectWriter"],
        ]
        return Dictionary(uniqueKeysWithValues: byReason.flatMap { reason, types in types.map { ($0, reason) } })
    }()
}

// MARK: - Parts

extension Samples {
    static let url =
        URL(string: "https://user:\(secret)@h.example/v1?token=\(secret)#\(secret)") ?? URL(fileURLWithPath: "/")
    static let body = Data(secret.utf8)

    static let headers: HTTPHeaders = [
        .authorization: "Bearer \(secret)", .cookie: secret, "X-Auth": secret, "X-Auth-Key": secret,
        "X-Functions-Key": secret,
        "Ocp-Apim-Subscription-Key": secret, "X-AccessToken": secret, "x-subscriptionkey": secret,
        .location: "https://user:\(secret)@h.example/a?code=\(secret)", .referer: "/a?code=\(secret)",
        .link:
            "<https://user:\(secret)@h.example/?page=2&key=\(secret)>; rel=\"next\", <//u:\(secret)@h/?a=\(secret)>; rel=\"last\"",
        "Refresh": "5; url=https://h.example/?a=\(secret)",
    ]

    static let endpoint = Endpoint(
        .get,
        "users/{id}?next=\(secret)",
        arguments: ["id": secret],
        query: ["token": secret]
    )

    static let request = HTTPRequest(method: .post, url: url, headers: headers, body: body)
    static let response = HTTPResponse(status: 200, headers: headers, body: body, url: url)

    /// A request as a client makes it: the argument is in its path.
    static func requests() async -> [HTTPRequest] {
        let build = BuildRequest(endpoint, baseURL: url, headers: headers)
        let made = try? await build.process(nil, in: CallContext())
        var moved = made
        if let other = URL(string: "https://h.example/other/\(secret)/\(secret)?a=\(secret)") { moved?.url = other }
        return [request] + [made, moved].compactMap(\.self)
    }

    static func context() async -> CallContext {
        let context = CallContext(endpoint: endpoint, reporter: ClosureReporter { _ in })
        for request in await requests() { context.recordSent(request) }
        return context
    }

    /// Errors of other modules, with the secret wherever they can hold it.
    static var foreignErrors: [any Error] {
        [
            NSError(
                domain: NSURLErrorDomain,
                code: -1001,
                userInfo: [
                    NSLocalizedDescriptionKey: secret, "NSErrorFailingURLStringKey": "https://h/?token=\(secret)",
                    "NSErrorFailingURLKey": url,
                ]
            ),
            URLError(.timedOut, userInfo: [NSLocalizedDescriptionKey: secret, "NSErrorFailingURLKey": url]),
            CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: "/\(secret)"]),
            Talkative(), Payload.of(secret), Payload.named(token: secret), Mirrored(),
            DecodingError.dataCorrupted(.init(codingPath: [AnyKey(secret)], debugDescription: "found \(secret)")),
            DecodingError.keyNotFound(AnyKey(secret), .init(codingPath: [AnyKey(secret)], debugDescription: secret)),
            EncodingError.invalidValue(secret, .init(codingPath: [AnyKey(secret)], debugDescription: secret)),
            TransportError(.timedOut, underlyingError: Talkative()),
            MappingError(issue()),
        ]
    }

    static func issue() -> MappingIssue {
        MappingIssue(
            .foreign,
            path: [.key("scores"), .entry(secret), .index(1)],
            expected: "a number",
            found: .init(type: "string", length: 6),
            causes: [MappingIssue(.null, path: [.entry(secret)], underlyingError: Talkative())],
            underlyingError: Talkative()
        )
    }

    static var mappingErrors: [MappingError] {
        [MappingError(issue())] + foreignErrors.map { MappingError(wrapping: $0) }
            + foreignErrors.compactMap { MappingError.located($0, at: .entry(secret)) as? MappingError }
    }

    /// The errors that a closure throws for some values.
    static func errors<Value>(
        for values: [Value],
        _ body: (Value) async throws -> Void
    ) async -> [any Error] {
        var errors: [any Error] = []
        for value in values {
            do { try await body(value) } catch { errors.append(error) }
        }
        return errors
    }
}

struct Talkative: Error, CustomStringConvertible, CustomDebugStringConvertible, LocalizedError {
    let token = Samples.secret
    var description: String { token }
    var debugDescription: String { token }
    var errorDescription: String? { token }
}

enum Payload: Error {
    case of(String)
    case named(token: String)
}

enum Mirrored: Error, CustomReflectable {
    case one
    init() { self = .one }
    var customMirror: Mirror { Mirror(self, children: [Samples.secret: Samples.secret], displayStyle: .enum) }
}

/// A coding key whose name comes from data.
struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(_ text: String) { stringValue = text }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
}
