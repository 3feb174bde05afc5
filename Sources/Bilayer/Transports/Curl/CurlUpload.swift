#if os(Linux)
import Foundation

/// The body of a request, read in parts, and from the start again for another connection.
struct CurlUpload {
    private let body: Data
    private var position = 0

    init(_ body: Data) { self.body = body }

    var count: Int { body.count }

    /// Copies the next bytes.
    /// - Returns: The number of bytes, 0 at the end.
    mutating func fill(_ room: UnsafeMutableRawBufferPointer) -> Int {
        let start = body.startIndex + position
        let part = body[start..<(start + min(room.count, body.count - position))]
        // Bound: the part is at most as long as the room.
        _ = unsafe part.copyBytes(to: room)
        position += part.count
        return part.count
    }

    /// Goes to another position.
    /// - Returns: Whether the body has it.
    mutating func rewind(to position: Int) -> Bool {
        guard (0...body.count).contains(position) else { return false }
        self.position = position
        return true
    }
}
#endif
