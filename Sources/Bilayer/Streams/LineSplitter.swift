import Foundation

/// Splits bytes into lines that end with LF or CR LF. If `endsAtReturn` is true, a line also ends with CR.
struct LineSplitter: Sendable {
    private let endsAtReturn: Bool
    private let skipsMark: Bool
    private let maximumBytes: Int
    private var line = Data()
    private var follows = Follows.start

    private enum Follows {
        case start, line
        /// The last byte was a CR. If the next byte is a LF, it is a part of the same line end.
        case afterReturn
    }

    /// - Parameters:
    ///   - endsAtReturn: Whether a CR alone ends a line.
    ///   - skipsMark: Whether a byte order mark at the start is skipped. False if the mark was already removed: a
    ///     further mark is a part of the text.
    ///   - maximumBytes: The maximum size of a line.
    init(endsAtReturn: Bool, skipsMark: Bool, maximumBytes: Int) {
        self.endsAtReturn = endsAtReturn
        self.skipsMark = skipsMark
        self.maximumBytes = maximumBytes
    }

    /// Takes bytes.
    /// - Parameters:
    ///   - chunk: The bytes.
    ///   - body: Called with each complete line, without its end.
    /// - Throws: ``StreamFormatError`` for a line that is too long, and the errors of `body`.
    mutating func append(_ chunk: Data, _ body: (Data) throws -> Void) throws {
        let bytes = Array(chunk)
        var start = 0
        if follows == .afterReturn, bytes.first == 0x0A { start += 1 }
        if follows == .afterReturn, !bytes.isEmpty { follows = .line }
        while let end = lineEnd(in: bytes, from: start) {
            try add(bytes[start..<end])
            try body(take())
            start = end + 1
            if bytes[end] == 0x0D {
                if start == bytes.count {
                    follows = .afterReturn
                } else if bytes[start] == 0x0A {
                    start += 1
                }
            }
        }
        try add(bytes[start...])
    }

    /// Returns the text after the last line end; `nil` if it is empty.
    mutating func finish() -> Data? {
        let rest = take()
        return rest.isEmpty ? nil : rest
    }

    private func lineEnd(in bytes: [UInt8], from start: Int) -> Int? {
        var index = start
        while index < bytes.count {
            if bytes[index] == 0x0A || (endsAtReturn && bytes[index] == 0x0D) { return index }
            index += 1
        }
        return nil
    }

    private mutating func add(_ part: ArraySlice<UInt8>) throws {
        guard part.count <= maximumBytes - line.count else {
            throw StreamFormatError("found a longer line, expected at most \(byteCountText(maximumBytes))")
        }
        line.append(contentsOf: part)
    }

    private mutating func take() -> Data {
        defer { line = Data() }
        if follows == .start {
            follows = .line
            if skipsMark, line.starts(with: [0xEF, 0xBB, 0xBF]) { line = Data(line.dropFirst(3)) }
        }
        if !endsAtReturn, line.last == 0x0D { line.removeLast() }
        return line
    }
}
