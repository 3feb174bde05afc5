public import Bilayer
public import Foundation

/// Recorded exchanges with a real server, without their secrets. They are recorded once and stored in a file. A
/// ``ReplayingTransport`` replays them.
///
/// ```swift
/// let recorder = RecordingTransport(URLSessionTransport())
/// _ = try await Client(baseURL: server.url, transport: recorder).fetch(.users)
/// let file = URL(fileURLWithPath: "users.json")
/// try recorder.recording().write(to: file)                                       // once
/// let client = Client(baseURL: server.url, transport: ReplayingTransport(try Recording(contentsOf: file)))
/// ```
/// The file is readable JSON, and equal for equal exchanges. It leaves out the host, the port, the header fields of
/// requests, and fields of responses that differ from run to run, such as `Date`. A `Date` is kept if the response
/// also has an `Expires`, or a `Retry-After` that is a date. A replay then sets `Date` to the present time, and moves
/// the other time by the same duration. A response with a `Last-Modified` gets the present `Date`, too. Exchanges are
/// sorted by method, path and query. If these are equal, exchanges are in the order in which their responses arrived.
///
/// Values are replaced if their names show that they are credentials:
///
/// | Place | Names |
/// |---|---|
/// | header fields, also of parts | the names for which `HTTPHeaders.Name.isSecret` is true |
/// | query items, members of JSON, forms, parts | names that are a credential word or end in one: `pin`, `api_key` |
/// | query items | also the names `key`, and `code` beside `state` |
/// | addresses in header fields, texts and query values | the names of query items; also the user before the host |
/// | JSON in header fields, texts and query values | the names of members |
/// | members `value`, attributes `value` and `content` | the `name`, `key`, `field` or `path` beside them |
/// | XML, and literal arguments of GraphQL | the names of elements, attributes and arguments |
/// | everywhere | the names in `redacting`; never a name that is only in `keeping` |
///
/// A word such as `hash` or `confirmation` may follow a credential word: `password_hash`. `ticket_id`, `primary_key`,
/// `token_count` and `monkey` are data, so their values are kept. The first value becomes `redacted-1`,
/// the next different value `redacted-2`. A number, also in quotes, becomes another number. Booleans in JSON are
/// kept.
/// ``redactedNames`` lists the names whose values were replaced. If the encoding of a JSON body cannot be
/// read, the whole body becomes `redacted`, and so does a compressed body of a request. Check a new file before you
/// commit it, because secrets in other places are not replaced.
public struct Recording: Sendable {
    /// A request and its response.
    struct Exchange: Sendable {
        let request: RequestKey
        /// The placeholders of the secrets in the request, in their order.
        let secrets: [String]
        let status: Int
        let headers: [Field]
        let body: Data
        /// The address of the response, if a redirect led to another one than the request's.
        let place: Place?
        /// Why the body is not whole; `nil` for a whole body.
        let cut: Cut?
    }

    /// An address without its host.
    struct Place: Codable, RawMappable, Sendable {
        let path: String
        let query: String?

        /// Returns the address at the host of a request.
        func url(like url: URL) -> URL? {
            // The parts of `url` are not replaced one by one, because an invalid character in the file would then end
            // the process.
            guard let scheme = url.scheme, let host = url.host(percentEncoded: true) else { return nil }
            let port = url.port.map { ":\($0)" } ?? ""
            // The address of an IPv6 host has brackets (RFC 3986 §3.2.2), which `host` leaves out.
            let authority = (host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host) + port
            return URL(string: "\(scheme)://\(authority)\(path)" + (query.map { "?\($0)" } ?? ""))
        }
    }

    /// Why the body of a stream is not whole.
    enum Cut: Sendable, Hashable {
        /// It ended with an error of this kind, for example because the connection was lost.
        case lost(TransportError.Kind)
        /// Its reader left: a cancelled task, a deadline, a loop that was ended.
        case left
    }

    struct Field: Codable, RawMappable, Sendable {
        let name: String
        let value: String
    }

    /// The identity of a request. Equal requests have equal keys.
    struct RequestKey: Sendable, Hashable {
        let method: String
        /// The path and the query. The query items are sorted by name.
        let target: String
        /// The body; JSON is in its canonical form, and the items of a form are sorted by name. All secrets are replaced
        /// by `redacted`, and secret numbers by 0.
        let body: String

        var text: String { "\(method) \(target)" }
    }

    let exchanges: [Exchange]
    let names: SecretNames
    /// The names of header fields, query items, members and other places whose values were replaced, sorted.
    ///
    /// If a mapping fails only with the recording, it may read one of these values. Then add its name to `keeping`.
    public let redactedNames: [String]
}

extension Recording {
    /// Reads a file.
    /// - Parameter url: The URL of the file.
    /// - Throws: The error of reading the file. `JsonSyntaxError` if the file is not JSON, and `MappingError` if the
    ///   JSON is not a recording.
    public init(contentsOf url: URL) throws {
        let raw = try Json(parsing: RegularFile.contents(of: url))
        names = SecretNames(
            redacting: Set(try raw.decode("redacting", ifMissing: []) as [String]),
            keeping: Set(try raw.decode("keeping", ifMissing: []) as [String])
        )
        redactedNames = try raw.decode("redactedNames", ifMissing: [])
        exchanges = try raw.decode("exchanges")
    }

    /// Writes a file.
    /// - Parameter url: The URL of the file.
    /// - Throws: The error of writing the file.
    public func write(to url: URL) throws {
        let raw: Json = [
            "redacting": Json(names.redacting.sorted().map { Json($0) }),
            "keeping": Json(names.keeping.sorted().map { Json($0) }),
            "redactedNames": Json(redactedNames.map { Json($0) }),
            "exchanges": Json(exchanges.map(\.json)),
        ]
        try raw.serialized(.pretty).write(to: url, options: .atomic)
    }
}

extension Recording.Exchange: RawDecodable {
    /// The faults that can end a stream. A recording's file stores their texts.
    private static let faults: [TransportError.Kind] = [
        .brokenBody, .connectionLost, .timedOut, .notConnected, .malformedResponse, .responseTooLarge, .other,
    ]
    /// The text that stands in a recording's file in place of a fault, if the reader stopped before the stream's end.
    private static let leftText = "left"

    static func from(raw: Json) throws -> Recording.Exchange {
        let body: String = try raw.decode("body", ifMissing: "")
        let isText = try raw.decode("bodyIsBase64", ifMissing: false) == false
        return try Recording.Exchange(
            request: .init(
                method: raw.decode("method"),
                target: raw.decode("target"),
                body: raw.decode("requestBody", ifMissing: "")
            ),
            secrets: raw.decode("redactedValues", ifMissing: []),
            status: raw.decode("status"),
            headers: raw.decode("headers"),
            body: isText ? Data(body.utf8) : Data(base64Encoded: body).require("body"),
            place: raw.decodeIfPresent("responsePlace"),
            cut: raw["fault"]?.string.map(cut(of:))
        )
    }

    /// Returns the cut that a recording's text names.
    private static func cut(of text: String) -> Recording.Cut {
        text == leftText ? .left : .lost(faults.first { $0.description == text } ?? .brokenBody)
    }

    fileprivate var json: Json {
        var json: Json = [
            "method": Json(request.method), "target": Json(request.target), "status": Json(status),
            "headers": Json(headers.map { ["name": Json($0.name), "value": Json($0.value)] as Json }),
        ]
        if !request.body.isEmpty { json["requestBody"] = Json(request.body) }
        if !secrets.isEmpty { json["redactedValues"] = Json(secrets.map { Json($0) }) }
        if let text = String(data: body, encoding: .utf8) {
            json["body"] = Json(text)
        } else {
            json["body"] = Json(body.base64EncodedString())
            json["bodyIsBase64"] = true
        }
        if let place {
            var written: Json = ["path": Json(place.path)]
            if let query = place.query { written["query"] = Json(query) }
            json["responsePlace"] = written
        }
        switch cut {
        case .lost(let fault)?: json["fault"] = Json(fault.description)
        case .left?: json["fault"] = Json(Self.leftText)
        case nil: break
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
    /// The number of exchanges, and the names whose values were replaced: `Recording(3, redacted: pin, token)`.
    public var description: String {
        let names = redactedNames.isEmpty ? "" : ", redacted: " + redactedNames.joined(separator: ", ")
        return "Recording(\(exchanges.count)\(names))"
    }
}
