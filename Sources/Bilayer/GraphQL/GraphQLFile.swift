import Foundation

/// A file among the variables of an operation, sent by the GraphQL multipart request specification.
///
/// ```swift
/// struct AddPhoto: GraphQLOperation {
///     static let document = "mutation AddPhoto($file: Upload!) { addPhoto(file: $file) { id } }"
///     struct Variables: Encodable, RawEncodable { let file: GraphQLFile }
///     struct Data: Codable, RawMappable { let addPhoto: PhotoEntry }
///     let variables: Variables
/// }
/// let photo = GraphQLFile(.file(at: URL(fileURLWithPath: "ada.jpg")), name: "ada.jpg")
/// let data = try await client.fetch(Route.graphQL(AddPhoto(variables: .init(file: photo))))
/// ```
/// It may be anywhere in the variables, in a list, too. The request is `multipart/form-data` then, and files are read
/// while they are sent. A server that checks for cross-site requests requires a header of its own on such requests; add
/// it to the client.
public struct GraphQLFile: Sendable, Hashable {
    /// The bytes, the file or the stream.
    public let content: HTTPBody
    /// The name for the server.
    public let name: String
    /// The media type.
    public let mediaType: String

    /// Makes a file.
    /// - Parameters:
    ///   - content: The bytes, the file or the stream.
    ///   - name: The name for the server.
    ///   - mediaType: The media type; `nil` for that of the name's extension.
    public init(_ content: HTTPBody, name: String, mediaType: String? = nil) {
        self.content = content
        self.name = name
        self.mediaType = mediaType ?? MediaType(ofFile: name).essence
    }
}

extension GraphQLFile: RawEncodable, Encodable {
    /// Writes the mark by which the request finds the path of the file.
    /// - Throws: ``GraphQLFileError`` if no operation is being written.
    public func toRaw() throws -> Json { Json(try mark()) }

    /// Writes the mark by which the request finds the path of the file.
    /// - Throws: ``GraphQLFileError`` if no operation is being written.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(mark())
    }

    private func mark() throws -> String {
        guard let files = FileCollector.current else { throw GraphQLFileError() }
        return files.add(self)
    }
}

extension GraphQLFile: Redacted {
    /// The media type, without the name.
    public var description: String { "GraphQLFile(\(mediaType))" }
}

/// A ``GraphQLFile`` outside of the variables of an operation.
public struct GraphQLFileError: Error, Sendable, Hashable, Redacted {
    /// The reason.
    public var description: String { "found a file outside of the variables of a GraphQL operation" }
}

/// The files of the variables that are being written. Each is a mark in their JSON, which is replaced at the end.
// Sendable: used by the one task that writes the variables, and only while it does.
final class FileCollector: @unchecked Sendable {
    @TaskLocal static var current: FileCollector?

    private var files: [String: GraphQLFile] = [:]
    private var marks: [String] = []

    func add(_ file: GraphQLFile) -> String {
        let mark = "file-\(UUID().uuidString)"
        files[mark] = file
        marks.append(mark)
        return mark
    }

    /// The body of the request. With files it has the parts `operations` and `map`, and one for each file.
    func body(of parameters: GraphQLParameters) throws -> RequestBody {
        guard !marks.isEmpty else { return RequestBody(parameters.json.serialized(), mediaType: Json.mediaType) }
        var operations = parameters.json
        var pathsByMark: [String: [JsonPath]] = [:]
        operations.visitStrings { text, path in
            if files[text] != nil { pathsByMark[text, default: []].append(path) }
        }
        for path in pathsByMark.values.joined() { operations.set(.null, at: path) }
        var map: Json = [:]
        var form = Multipart()
        var parts: [(name: String, file: GraphQLFile)] = []
        for mark in marks {
            guard let file = files[mark], let paths = pathsByMark[mark] else { continue }
            let name = String(parts.count)
            map[name] = Json(paths.map { Json($0.dotted) })
            parts.append((name, file))
        }
        form = form.adding("operations", String(decoding: operations.serialized(), as: UTF8.self))
        form = form.adding("map", String(decoding: map.serialized(), as: UTF8.self))
        for part in parts {
            form = form.adding(
                part.file.content,
                name: part.name,
                fileName: part.file.name,
                mediaType: part.file.mediaType
            )
        }
        return try form.requestBody()
    }
}

extension Json {
    /// Calls a closure with each string and its path. Depth costs memory, not stack.
    fileprivate func visitStrings(_ visit: (String, JsonPath) -> Void) {
        var open: [(json: Json, path: JsonPath)] = [(self, .root)]
        while let (json, path) = open.popLast() {
            switch json.kind {
            case .string: if let text = json.string { visit(text, path) }
            case .array:
                for (index, element) in json.elements.enumerated() {
                    open.append((element, path.appending(.index(index))))
                }
            case .object: for (key, value) in json.members { open.append((value, path.appending(.key(key)))) }
            default: break
            }
        }
    }
}

extension JsonPath {
    /// The path as the specification writes it: `variables.files.0`.
    fileprivate var dotted: String {
        components.map { component in
            switch component {
            case .key(let key), .entry(let key): key
            case .index(let index): String(index)
            }
        }
        .joined(separator: ".")
    }
}
