import Foundation

/// A file among the variables of an operation. It is sent according to the GraphQL multipart request specification.
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
/// A file can be anywhere in the variables, also in a list. The request is then `multipart/form-data`. The file is read
/// while it is sent, but ``URLSessionTransport`` first makes a copy of the whole body. Servers that protect against
/// cross-site request forgery require an additional header on such requests. Add this header to the client.
public struct GraphQLFile: Sendable, Hashable {
    /// The content: bytes, a file or a stream.
    public let content: HTTPBody
    /// The file name that the server receives.
    public let name: String
    /// The media type.
    public let mediaType: String

    /// Makes a file.
    /// - Parameters:
    ///   - content: The content: bytes, a file or a stream.
    ///   - name: The file name that the server receives.
    ///   - mediaType: The media type; `nil` derives it from the extension of the name.
    public init(_ content: HTTPBody, name: String, mediaType: String? = nil) {
        self.content = content
        self.name = name
        self.mediaType = mediaType ?? MediaType(ofFile: name).essence
    }
}

extension GraphQLFile: RawEncodable, Encodable {
    /// Returns the mark of the file: a unique text. The request has `null` in its place.
    /// - Throws: ``GraphQLFileError`` outside the variables of an operation.
    public func toRaw() throws -> Json { Json(try mark()) }

    /// Writes the mark of the file: a unique text. The request has `null` in its place.
    /// - Throws: ``GraphQLFileError`` outside the variables of an operation. Also throws what the encoder throws.
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
    /// The media type. Does not contain the name.
    public var description: String { "GraphQLFile(\(mediaType))" }
}

/// The error of writing a ``GraphQLFile`` outside the variables of an operation.
public struct GraphQLFileError: Error, Sendable, Hashable, Redacted {
    /// The reason.
    public var description: String { "found a file outside of the variables of a GraphQL operation" }
}

/// Collects the files of the variables that are being written. Each file is a unique text in the JSON, its mark. The
/// marks give the paths of the files, and are then replaced by `null`.
// Sendable: only the one task that writes the variables and the body uses the collector.
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

    /// Returns the body of the request. With files, it has the parts `operations` and `map`, and a part for each file.
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
    /// Calls a closure with each string and its path. Not recursive, so deeply nested JSON cannot exhaust the stack.
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
    /// The path in the notation of the multipart specification: `variables.files.0`.
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
