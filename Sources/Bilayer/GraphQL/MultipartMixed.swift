import Foundation

/// Cuts a `multipart/mixed` body into the contents of its parts (RFC 2046 §5.1). Headers of parts are not read.
struct MultipartMixed {
    private let delimiter: Data
    private let maximumBytes: Int
    /// The bytes that are not split yet. They begin with a line break, as if one came before the first delimiter.
    private var rest = Data("\r\n".utf8)
    /// The index at which the search for the next delimiter continues.
    private var searched = 0
    private var isInPart = false
    /// Whether the last delimiter has come.
    private(set) var isOver = false

    init(boundary: String, maximumBytes: Int) {
        delimiter = Data("\r\n--\(boundary)".utf8)
        self.maximumBytes = maximumBytes
    }

    mutating func append(_ chunk: Data, to parts: inout [Data]) throws {
        if isOver { return }
        rest.append(chunk)
        while !isOver, let found = rest.range(of: delimiter, in: rest.startIndex + searched..<rest.endIndex) {
            let tail = rest[found.upperBound...]
            // Two more bytes say whether it is the last one.
            guard tail.count >= 2 else {
                searched = found.lowerBound - rest.startIndex
                return
            }
            if isInPart, let content = Self.content(of: rest[..<found.lowerBound]) { parts.append(content) }
            isOver = tail.starts(with: Data("--".utf8))
            isInPart = true
            rest = Data(tail)
            searched = 0
        }
        searched = max(0, rest.count - delimiter.count)
        guard rest.count <= maximumBytes else {
            throw StreamFormatError("found a larger part, expected at most \(byteCountText(maximumBytes))")
        }
    }

    /// Returns the bytes after the header fields.
    private static func content(of part: Data) -> Data? {
        guard let head = part.range(of: Data("\r\n\r\n".utf8)) else { return nil }
        let content = part[head.upperBound...]
        return content.isEmpty ? nil : Data(content)
    }
}
