public import Foundation

/// The parts of a `multipart/form-data` body (RFC 7578): text, bytes, files and streams, each with a name.
///
/// ```swift
/// let picture = URL(fileURLWithPath: "picture.jpg")
/// let form = Multipart()
///     .adding("title", "Ada at the engine")
///     .adding(file: picture, name: "picture")
/// let route = Route<Json>.post("pictures", body: .multipart(form))
/// ```
/// ``CurlTransport`` reads files and streams while it sends them, so they are never in memory as a whole.
/// ``URLSessionTransport`` reads them before it sends the body: on Apple platforms it writes the whole body to a
/// temporary file, on Linux it holds the body in memory. The body has a `Content-Length` if the length of every part is
/// known. It can be sent again if every part can.
///
/// **Names** of fields and files are written in UTF-8. `"`, CR and LF are written as `%22`, `%0D` and `%0A`, as in
/// browsers (WHATWG HTML, "multipart/form-data encoding algorithm"). `filename*` (RFC 8187) is not used: RFC 7578 §4.2
/// forbids it in form data.
///
/// **Boundary**: 143 random bits, new for each call. Parts in memory are searched for the boundary first. If it occurs
/// in one of them, another boundary is made. A file or a stream is searched while it is read. If the boundary occurs,
/// the request ends with an error before the whole boundary is sent.
public struct Multipart: Sendable {
    /// The parts without the delimiters.
    private var parts: [Part] = []
    private let makeBoundary: @Sendable () -> String

    /// One part: its header lines and its content.
    private struct Part {
        let head: String
        let content: HTTPBody
        /// The error of a part that cannot be sent.
        let failure: MultipartError?
    }

    /// Makes a body without parts, with random boundaries.
    public init() { self.init { Self.randomBoundary() } }

    /// Makes a body without parts.
    /// - Parameter boundary: Returns a boundary: 1 to 70 letters, digits and other characters of a token.
    public init(boundary: @escaping @Sendable () -> String) { makeBoundary = boundary }

    /// Returns a copy with a field of text.
    /// - Parameters:
    ///   - name: The field's name.
    ///   - text: The value, sent as UTF-8 (RFC 7578 §5.1).
    ///   - headers: Headers of this part alone. They replace the generated headers of equal names.
    /// - Returns: The changed body.
    public func adding(_ name: String, _ text: String, headers: HTTPHeaders = [:]) -> Multipart {
        adding(.data(Data(text.utf8)), name: name, fileName: nil, mediaType: nil, headers: headers)
    }

    /// Returns a copy with a file. The file is read when the request is sent, not when this method is called.
    /// - Parameters:
    ///   - url: The URL of the file.
    ///   - name: The field's name.
    ///   - fileName: The name for the server. `nil` takes the name of the file.
    ///   - mediaType: The part's media type. `nil` takes the type of the extension of `fileName`, or of the file if
    ///     `fileName` is `nil` (``MediaType/init(ofFile:)``).
    ///   - headers: Headers of this part alone. They replace the generated headers of equal names.
    /// - Returns: The changed body.
    public func adding(
        file url: URL,
        name: String,
        fileName: String? = nil,
        mediaType: String? = nil,
        headers: HTTPHeaders = [:]
    ) -> Multipart {
        let fileName = fileName ?? url.lastPathComponent
        let mediaType = mediaType ?? MediaType(ofFile: fileName).essence
        return adding(.file(at: url), name: name, fileName: fileName, mediaType: mediaType, headers: headers)
    }

    /// Returns a copy with bytes, a file or a stream.
    ///
    /// ```swift
    /// let form = Multipart().adding(.data(Data([0xFF, 0xD8])), name: "picture", fileName: "ada.jpg")
    /// ```
    /// - Parameters:
    ///   - content: The bytes, the file or the stream.
    ///   - name: The field's name.
    ///   - fileName: The name for the server; `nil` for a part that is no file.
    ///   - mediaType: The part's media type. `nil` takes the type of the extension of `fileName`. A part without a file
    ///     name then has no media type.
    ///   - headers: Headers of this part alone. They replace the generated headers of equal names.
    /// - Returns: The changed body.
    public func adding(
        _ content: HTTPBody,
        name: String,
        fileName: String? = nil,
        mediaType: String? = nil,
        headers: HTTPHeaders = [:]
    ) -> Multipart {
        var disposition = "form-data; name=\"\(escaped(name))\""
        if let fileName { disposition += "; filename=\"\(escaped(fileName))\"" }
        var fields: HTTPHeaders = ["Content-Disposition": disposition]
        fields[.contentType] = mediaType ?? fileName.map { MediaType(ofFile: $0).essence }
        fields = fields.replacing(with: headers)
        let head = fields.map { "\($0.name.rawValue): \($0.value)\r\n" }.joined()
        let failure = fields.refused.first.map { name in
            MultipartError(reason: "found a header \(name) that is not valid, expected one line (RFC 9110 §5.5)")
        }
        var form = self
        form.parts.append(Part(head: head, content: content, failure: failure))
        return form
    }

    /// Makes the body, with a new boundary.
    /// - Returns: The body with its media type.
    /// - Throws: ``MultipartError`` if a header of a part or the boundary is not valid, or if all of 16
    ///   boundaries occur in a part.
    public func requestBody() throws -> RequestBody {
        if let failure = parts.lazy.compactMap(\.failure).first { throw failure }
        let boundary = try chooseBoundary()
        var pieces: [MultipartChunks.Piece] = []
        var separator = "--\(boundary)\r\n"
        for part in parts {
            pieces.append(.text(Data("\(separator)\(part.head)\r\n".utf8)))
            pieces.append(.content(part.content))
            separator = "\r\n--\(boundary)\r\n"
        }
        pieces.append(.text(Data((parts.isEmpty ? "--\(boundary)--\r\n" : "\r\n--\(boundary)--\r\n").utf8)))
        let chunks = MultipartChunks(pieces: pieces, delimiter: Data("--\(boundary)".utf8))
        return RequestBody(chunks.body, mediaType: "multipart/form-data; boundary=\(boundary)")
    }

    /// Returns a boundary that occurs in no part in memory.
    private func chooseBoundary() throws -> String {
        for _ in 0..<16 {
            let boundary = makeBoundary()
            guard isToken(boundary), boundary.utf8.count <= 70 else {
                throw MultipartError(reason: "expected a boundary of 1 to 70 characters of a token (RFC 2046 §5.1.1)")
            }
            let delimiter = Data("--\(boundary)".utf8)
            if !parts.contains(where: { $0.content.data?.range(of: delimiter) != nil }) { return boundary }
        }
        throw MultipartError(reason: "found 16 boundaries that are in the content, expected one that is not")
    }

    private static func randomBoundary() -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
        return "Bilayer-" + String((0..<24).compactMap { _ in letters.randomElement() })
    }
}

/// Returns a name for use between quotes, with `"`, CR and LF as `%22`, `%0D` and `%0A`.
private func escaped(_ name: String) -> String {
    name.unicodeScalars.reduce(into: "") { text, character in
        switch character {
        case "\"": text += "%22"
        case "\r": text += "%0D"
        case "\n": text += "%0A"
        default: text.unicodeScalars.append(character)
        }
    }
}

extension Multipart: Redacted {
    /// The number of parts.
    public var description: String { "Multipart(\(parts.count))" }
}
