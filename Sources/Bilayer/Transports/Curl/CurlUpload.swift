#if os(Linux)
import Foundation

/// The body of a request for libcurl. It is read in parts, and again from the start if another connection is needed.
struct CurlUpload {
    private enum Source {
        case memory(Data, position: Int)
        case task(OutgoingBody)
    }

    private var source: Source
    /// The length of the body, if it is known. After that many bytes libcurl does not ask again.
    private let length: Int?
    /// The number of the body's bytes that libcurl has taken, without the lines between chunks.
    private(set) var filled = 0
    private var hasEnded = false

    init(_ body: HTTPBody?) {
        length = body == nil ? 0 : body?.length
        switch body?.data {
        case let data?: source = .memory(data, position: 0)
        case nil: source = body.map { .task(OutgoingBody($0)) } ?? .memory(Data(), position: 0)
        }
    }

    /// Whether libcurl has all bytes.
    var isComplete: Bool { hasEnded || filled == length }

    /// The body if a task has to read it.
    var outgoing: OutgoingBody? {
        if case .task(let body) = source { body } else { nil }
    }

    /// Copies the next bytes.
    mutating func fill(_ room: UnsafeMutableRawBufferPointer) -> OutgoingBody.Part {
        // Bound: both copy at most as many bytes as there is room for.
        let part =
            switch source {
            case .task(let body): unsafe body.fill(room)
            case .memory(let data, let position): unsafe fill(room, from: data, at: position)
            }
        switch part {
        case .bytes(let count): filled += count
        case .end: hasEnded = true
        case .none, .failure: break
        }
        return part
    }

    private mutating func fill(
        _ room: UnsafeMutableRawBufferPointer,
        from data: Data,
        at position: Int
    ) -> OutgoingBody.Part {
        let start = data.startIndex + position
        let part = data[start..<(start + min(room.count, data.count - position))]
        // Bound: the part is at most as long as the room.
        _ = unsafe part.copyBytes(to: room)
        source = .memory(data, position: position + part.count)
        return part.isEmpty ? .end : .bytes(part.count)
    }

    /// Moves to another position.
    /// - Returns: Whether the body can be sent from that position.
    mutating func rewind(to position: Int) -> Bool {
        switch source {
        case .task(let body):
            guard position == 0, body.rewind() else { return false }
        case .memory(let data, _):
            guard (0...data.count).contains(position) else { return false }
            source = .memory(data, position: position)
        }
        (filled, hasEnded) = (position, false)
        return true
    }
}

extension HTTPRequest {
    /// Returns the request with the length of its body read once. A file that grows later has more bytes than
    /// announced, which is an error. A body of length 0 is read at once to find such errors, because libcurl would not
    /// read it.
    func withSettledLength() async throws -> HTTPRequest {
        guard let body, body.data == nil, let length = body.length else { return self }
        var request = self
        if length == 0 {
            do {
                request.body = .data(try await body.collected())
            } catch let error where !(error is CancellationError) {
                throw TransportError(ofBody: error)
            }
        } else if body.file != nil {
            request.body = .stream(length: length, isReplayable: true) { body }
        }
        return request
    }
}
#endif
