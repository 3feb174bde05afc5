public import Foundation

/// The body that a route sends, made by `body: .form(…)`, `.json(…)`, `.multipart(…)`, `.text(…)` and similar
/// functions.
///
/// A `RouteBody` is not written yet: it has the value and the way to write it. Each call writes it to a
/// ``RequestBody``.
///
/// ```swift
/// let signUp: Route<Json> = .post("sign-up", body: .form(["name": "Ada"]))
/// let note: Route<Void> = .put("note", body: .text("Ring twice."))
/// let film: Route<Void> = .put("film.mp4", body: .file(at: URL(fileURLWithPath: "film.mp4")))
/// ```
///
/// A model or an entry needs no such function: `body: photo` sends it in the format of its raw type. The value is
/// written when the route is called, under the conventions of the client and the route. The body determines
/// `Content-Type`, unless the headers of the route or the client have this field.
public struct RouteBody: Sendable {
    let node: any Node<Void, RequestBody?>

    /// Makes the body of a model, which is converted through both layers.
    init<Model: DTOEncodable & Sendable>(model: Model)
    where Model.DTO: RawEncodable & Sendable, Model.DTO.Raw: RawBody {
        node = WriteModel(model: model)
    }

    /// Makes the body of an entry or a raw value, which is converted by the lower layer only.
    init<Entry: RawEncodable & Sendable>(entry: Entry) where Entry.Raw: RawBody {
        node = WriteEntry(entry: entry)
    }

    /// Makes the body of a value that is written as JSON first.
    /// - Parameters:
    ///   - name: The name of the stage.
    ///   - value: The value.
    ///   - conventions: The conventions for the JSON. `nil` uses the conventions of the call.
    ///   - write: Makes the body from the JSON. It runs as a part of the call's mapping.
    init(
        named name: String,
        _ value: BodyValue,
        _ conventions: CodingConventions?,
        _ write: @escaping @Sendable (Json) throws -> RequestBody
    ) {
        self.init(named: name) { context in
            try context.mapping {
                try write(value.json(under: conventions, policy: context.mappingPolicy))
            }
        }
    }

    /// Makes a body by a closure that runs on the concurrent pool.
    init(named name: String, _ make: @escaping @Sendable (CallContext) throws -> RequestBody) {
        node = MakeBody(description: name, make: make)
    }
}

/// Makes the body of a request from a model, through both layers.
private struct WriteModel<Model: DTOEncodable & Sendable>: NodeDescribing, Node
where Model.DTO: RawEncodable & Sendable, Model.DTO.Raw: RawBody {
    let model: Model

    func process(_ input: Void, in context: CallContext) async throws -> RequestBody? {
        let dto = try await ConvertModel<Model>().process(model, in: context)
        return try await WriteEntry(entry: dto).process((), in: context)
    }

    var stageNames: [String] {
        [typeName(Model.self)] + names(of: ConvertModel<Model>()) + WriteEntry<Model.DTO>.stageNames
    }
}

/// Makes the body of a request from an entry.
private struct WriteEntry<Entry: RawEncodable & Sendable>: NodeDescribing, Node where Entry.Raw: RawBody {
    let entry: Entry

    func process(_ input: Void, in context: CallContext) async throws -> RequestBody? {
        let raw = try await MapEntry<Entry>().process(entry, in: context)
        return try await WriteBody<Entry.Raw>().process(raw, in: context)
    }

    static var stageNames: [String] { names(of: MapEntry<Entry>()) + names(of: WriteBody<Entry.Raw>()) }

    var stageNames: [String] { [typeName(Entry.self)] + Self.stageNames }
}

/// Makes the body of a request in one step.
private struct MakeBody: Node, CustomStringConvertible {
    let description: String
    let make: @Sendable (CallContext) throws -> RequestBody

    @concurrent
    func process(_ input: Void, in context: CallContext) async throws -> RequestBody? { try make(context) }
}

extension RouteBody {
    /// Makes a body of text in UTF-8.
    /// - Parameters:
    ///   - text: The text.
    ///   - mediaType: The value of `Content-Type`.
    /// - Returns: The body.
    public static func text(_ text: String, mediaType: String = "text/plain; charset=utf-8") -> RouteBody {
        content(.data(Data(text.utf8)), mediaType: mediaType)
    }

    /// Makes a body of bytes.
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - mediaType: The value of `Content-Type`.
    /// - Returns: The body.
    public static func bytes(_ bytes: Data, mediaType: String = "application/octet-stream") -> RouteBody {
        content(.data(bytes), mediaType: mediaType)
    }

    /// Makes a body of a file. The file is read while it is sent. With ``URLSessionTransport`` on Linux, the whole file
    /// is read into memory first.
    /// - Parameters:
    ///   - url: The URL of the file.
    ///   - mediaType: The value of `Content-Type`. `nil` takes the type of the file's extension
    ///     (``MediaType/init(ofFile:)``).
    /// - Returns: The body.
    public static func file(at url: URL, mediaType: String? = nil) -> RouteBody {
        content(.file(at: url), mediaType: mediaType ?? MediaType(ofFile: url.lastPathComponent).essence)
    }

    /// Makes a body of bytes, a file or a stream.
    ///
    /// ```swift
    /// let rows = AsyncStream<Data> { $0.finish() }
    /// let route: Route<Void> = .post("rows", body: .content(.stream { rows }, mediaType: "text/csv"))
    /// ```
    /// - Parameters:
    ///   - content: The bytes, the file or the stream.
    ///   - mediaType: The value of `Content-Type`.
    /// - Returns: The body.
    public static func content(_ content: HTTPBody, mediaType: String) -> RouteBody {
        RouteBody(named: "Content") { _ in RequestBody(content, mediaType: mediaType) }
    }

    /// Makes a body of parts (RFC 7578). Each call has a boundary of its own.
    ///
    /// ```swift
    /// let picture = URL(fileURLWithPath: "picture.jpg")
    /// let form = Multipart().adding("title", "Ada").adding(file: picture, name: "picture")
    /// let route = Route<Json>.post("pictures", body: .multipart(form))
    /// ```
    /// - Parameter form: The parts.
    /// - Returns: The body.
    public static func multipart(_ form: Multipart) -> RouteBody {
        RouteBody(named: "WriteMultipart") { _ in try form.requestBody() }
    }
}

extension RouteBody: Redacted {
    /// The names of the stages that write the body: `WriteForm`.
    public var description: String { names(of: node).joined(separator: " -> ") }
}
