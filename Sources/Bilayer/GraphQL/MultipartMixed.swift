import Foundation

/// Splits a `multipart/mixed` body into the contents of its parts (RFC 2046 §5.1). Ignores the headers of the parts.
struct MultipartMixed {
    private let delimiter: Data
    private let maximumBytes: Int
    /// The bytes that are not split yet. Before the first byte they are a line break: a delimiter begins with a line
    /// break, but the body can begin with the boundary.
    private var rest = Data("\r\n".utf8)
    /// The index at which the search for the next delimiter continues.
    private var searched = 0
    private var isInPart = false
    /// Whether a delimiter was just read, and the two bytes after it are still missing. These two bytes show whether
    /// the delimiter is the last one.
    private var isBehindDelimiter = false
    /// Whether the last delimiter was read.
    private(set) var isOver = false

    init(boundary: String, maximumBytes: Int) {
        delimiter = Data("\r\n--\(boundary)".utf8)
        self.maximumBytes = maximumBytes
    }

    /// Reads further bytes. A delimiter ends the part before it, whatever follows on its line (RFC 2046 §5.1.1).
    mutating func append(_ chunk: Data, to parts: inout [Data]) throws {
        if isOver { return }
        rest.append(chunk)
        while true {
            if isBehindDelimiter {
                guard rest.count >= 2 else { return }
                isBehindDelimiter = false
                isOver = rest.starts(with: Data("--".utf8))
                if isOver {
                    rest = Data()
                    return
                }
            }
            let unsearched = rest.startIndex + searched..<rest.endIndex
            guard let found = rest.range(of: delimiter, in: unsearched) else { break }
            if isInPart, let content = Self.content(of: rest[..<found.lowerBound]) { parts.append(content) }
            (isInPart, isBehindDelimiter) = (true, true)
            rest = Data(rest[found.upperBound...])
            searched = 0
        }
        searched = max(0, rest.count - delimiter.count)
        guard rest.count <= maximumBytes else {
            throw StreamFormatError("found a larger part, expected at most \(byteCountText(maximumBytes))")
        }
    }

    /// Returns the bytes after the header fields; `nil` if the part has no content.
    private static func content(of part: Data) -> Data? {
        guard let head = part.range(of: Data("\r\n\r\n".utf8)) else { return nil }
        let content = part[head.upperBound...]
        return content.isEmpty ? nil : Data(content)
    }
}
