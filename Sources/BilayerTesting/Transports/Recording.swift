public import Bilayer
public import Foundation

/// Exchanges with a real server in a file, without their secrets: recorded once, replayed by a ``ReplayingTransport``.
///
/// ```swift
/// let recorder = RecordingTransport(URLSessionTransport())
/// _ = try await Client(baseURL: server.url, transport: recorder).fetch(.users)
/// let file = URL(fileURLWithPath: "users.json")
/// try recorder.recording().write(to: file)                                       // once
/// let client = Client(baseURL: server.url, transport: ReplayingTransport(try Recording(contentsOf: file)))
/// ```
/// The file is JSON for reading, and equal for equal exchanges: in the order in which they ended, without dates. Host
/// and port are not part of it.
///
/// Values of header fields, query items and members of JSON and forms whose names say that they are credentials
/// (`HTTPHeaders.Name.isSecret`) are replaced, and those of further names that you give. Look at a new file all the
/// same before it is committed: values elsewhere stay as they are.
public struct Recording: Sendable {
    /// One request and its response.
    struct Exchange: Sendable {
        let request: RequestKey
        let status: Int
        let headers: [Field]
        let body: Data
    }

    struct Field: Codable, RawMappable, Sendable {
        let name: String
        let value: String
    }

    /// What two equal requests have in common.
    struct RequestKey: Sendable, Hashable {
        let method: String
        /// The path with the query, whose items are sorted by their names.
        let target: String
        /// The body, redacted; of JSON in its canonical form.
        let body: String

        var text: String { "\(method) \(target)" }
    }

    let exchanges: [Exchange]
    let redaction: RecordingRedaction
}

extension Recording {
    /// Reads a file.
    /// - Parameter url: The place of the file.
    /// - Throws: The error of the file, or a `MappingError`.
    public init(contentsOf url: URL) throws {
        let raw = try Json(parsing: Data(contentsOf: url))
        redaction = RecordingRedaction(names: Set(try raw.decode("redacted", ifMissing: []) as [String]))
        exchanges = try raw.decode("exchanges")
    }

    /// Writes a file.
    /// - Parameter url: The place of the file.
    /// - Throws: The error of the file.
    public func write(to url: URL) throws {
        let order = Dictionary(grouping: exchanges.enumerated(), by: \.element.request.text)
        let sorted = order.sorted { $0.key < $1.key }.flatMap { $0.value.map(\.element.json) }
        let raw: Json = ["redacted": Json(redaction.names.sorted().map { Json($0) }), "exchanges": Json(sorted)]
        try raw.serialized(.pretty).write(to: url, options: .atomic)
    }
}

extension RecordingTransport {
    /// The recorded exchanges that had a response, without their secrets.
    /// - Parameter names: Further names of header fields, query items and members whose values are replaced.
    /// - Returns: The recording, to be written to a file.
    public func recording(redacting names: Set<String> = []) -> Recording {
        let redaction = RecordingRedaction(names: names)
        return Recording(
            exchanges: exchanges.compactMap { exchange in
                guard case .success(let response) = exchange.result else { return nil }
                return Recording.Exchange(redaction.key(of: exchange.request), redaction.redacted(response))
            },
            redaction: redaction
        )
    }
}

extension Recording.Exchange: RawDecodable {
    fileprivate init(_ request: Recording.RequestKey, _ response: HTTPResponse) {
        self.init(
            request: request,
            status: response.status.code,
            headers: response.headers.map { Recording.Field(name: "\($0.name)", value: $0.value) },
            body: response.body
        )
    }

    static func from(raw: Json) throws -> Recording.Exchange {
        let body: String = try raw.decode("body", ifMissing: "")
        let isText = try raw.decode("bodyIsBase64", ifMissing: false) == false
        return try Recording.Exchange(
            request: .init(
                method: raw.decode("method"),
                target: raw.decode("target"),
                body: raw.decode("requestBody", ifMissing: "")
            ),
            status: raw.decode("status"),
            headers: raw.decode("headers"),
            body: isText ? Data(body.utf8) : Data(base64Encoded: body).require("body")
        )
    }

    fileprivate var json: Json {
        var json: Json = [
            "method": Json(request.method), "target": Json(request.target), "status": Json(status),
            "headers": Json(headers.map { ["name": Json($0.name), "value": Json($0.value)] as Json }),
        ]
        if !request.body.isEmpty { json["requestBody"] = Json(request.body) }
        if let text = String(data: body, encoding: .utf8) {
            json["body"] = Json(text)
        } else {
            json["body"] = Json(body.base64EncodedString())
            json["bodyIsBase64"] = true
        }
        return json
    }

    var response: HTTPResponse {
        var fields = HTTPHeaders()
        for field in headers { fields.append(field.value, for: HTTPHeaders.Name(rawValue: field.name)) }
        return HTTPResponse(status: HTTPStatus(status), headers: fields, body: body)
    }
}

extension Recording: Redacted {
    /// The number of exchanges.
    public var description: String { "Recording(\(exchanges.count))" }
}
