import Foundation

/// Cuts bytes into lines that end with LF, CR LF or, for formats that say so, CR. A mark of byte order at the start is
/// left out.
struct LineSplitter: Sendable {
    private let endsAtReturn: Bool
    private let maximumBytes: Int
    private var line = Data()
    private var follows = Follows.start

    private enum Follows {
        case start, line
        /// A line feed now belongs to the end of the line before.
        case afterReturn
    }

    /// - Parameters:
    ///   - endsAtReturn: Whether a CR alone ends a line.
    ///   - maximumBytes: The longest line.
    init(endsAtReturn: Bool, maximumBytes: Int) {
        self.endsAtReturn = endsAtReturn
        self.maximumBytes = maximumBytes
    }

    /// Takes bytes.
    /// - Parameters:
    ///   - chunk: The bytes.
    ///   - body: Called with each complete line, without its end.
    /// - Throws: ``StreamFormatError`` for a line that is too long, and the errors of `body`.
    mutating func append(_ chunk: Data, _ body: (Data) throws -> Void) throws {
        var start = chunk.startIndex
        if follows == .afterReturn, chunk.first == 0x0A { start += 1 }
        if follows == .afterReturn, !chunk.isEmpty { follows = .line }
        while let end = chunk[start...].firstIndex(where: isLineEnd) {
            try add(chunk[start..<end])
            try body(take())
            start = end + 1
            if chunk[end] == 0x0D {
                if start == chunk.endIndex {
                    follows = .afterReturn
                } else if chunk[start] == 0x0A {
                    start += 1
                }
            }
        }
        try add(chunk[start...])
    }

    /// What follows the last end of a line; `nil` if nothing does.
    mutating func finish() -> Data? {
        let rest = take()
        return rest.isEmpty ? nil : rest
    }

    private func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || (endsAtReturn && byte == 0x0D) }

    private mutating func add(_ part: Data) throws {
        guard part.count <= maximumBytes - line.count else {
            throw StreamFormatError("found a longer line, expected at most \(byteCountText(maximumBytes))")
        }
        line.append(part)
    }

    private mutating func take() -> Data {
        defer { line = Data() }
        if follows == .start {
            follows = .line
            if line.starts(with: [0xEF, 0xBB, 0xBF]) { line = Data(line.dropFirst(3)) }
        }
        if !endsAtReturn, line.last == 0x0D { line.removeLast() }
        return line
    }
}
