#if os(Linux)
import Foundation

extension CurlHandle {
    /// Reads the arrived part of a frame, without waiting.
    /// - Returns: The part; `nil` if nothing has arrived.
    /// - Throws: ``CurlError`` if the connection is lost, or if libcurl has no WebSockets.
    func receivePart() throws(CurlError) -> CurlFramePart? {
        guard let receive = unsafe library.webSocketReceive else { throw error(CurlCode.notBuiltIn.rawValue) }
        let room = 16 * 1024
        var bytes = Data(count: room)
        var count = 0
        var frame: UnsafeRawPointer?
        // Bound: libcurl writes at most `room` bytes, one number, and one pointer.
        let code = unsafe bytes.withUnsafeMutableBytes { buffer in
            unsafe withPointer { unsafe receive($0, buffer.baseAddress, room, &count, &frame) }
        }
        if code == CurlCode.again.rawValue { return nil }
        guard code == CurlCode.ok.rawValue, count <= room, let frame = unsafe frame else { throw error(code) }
        bytes.removeSubrange(count...)
        // Bound: the frame is libcurl's, valid until the next call. It has an age at 0 and flags at 4, of 32 bits. An
        // offset at 8 and the bytes left at 16 have 64 bits.
        let flags = unsafe frame.load(fromByteOffset: 4, as: UInt32.self)
        let left = unsafe frame.load(fromByteOffset: 16, as: Int64.self)
        return CurlFramePart(kind: CurlFrameKind(rawValue: flags), bytesLeft: Int(left), bytes: bytes)
    }

    /// Sends bytes of a frame, as many as libcurl takes without waiting. Further calls send the rest of the frame.
    /// - Returns: The number of bytes that were taken; `nil` if none were taken and the call has to be repeated.
    /// - Throws: ``CurlError`` if the connection is lost, or if libcurl has no WebSockets.
    func send(_ bytes: Data, _ kind: CurlFrameKind) throws(CurlError) -> Int? {
        guard let send = unsafe library.webSocketSend else { throw error(CurlCode.notBuiltIn.rawValue) }
        var count = 0
        // Bound: libcurl reads the bytes during the call, and writes one number.
        let code = unsafe bytes.withUnsafeBytes { buffer in
            unsafe withPointer { unsafe send($0, buffer.baseAddress, buffer.count, &count, 0, kind.rawValue) }
        }
        if code == CurlCode.again.rawValue { return count > 0 ? min(count, bytes.count) : nil }
        guard code == CurlCode.ok.rawValue else { throw error(code) }
        return min(count, bytes.count)
    }

    private func error(_ code: Int32) -> CurlError {
        CurlError(code: Int(code), text: library.text(of: CurlCode(rawValue: code)))
    }
}
#endif
