#if os(Linux)
import Foundation

/// A part of a WebSocket frame, as libcurl returns it (`struct curl_ws_frame`).
struct CurlFramePart {
    let kind: CurlFrameKind
    /// The number of bytes of the frame that have not arrived yet.
    let bytesLeft: Int
    let bytes: Data
}

/// The kind of a frame: the flags of `curl/websockets.h`.
struct CurlFrameKind: OptionSet, Sendable {
    let rawValue: UInt32

    static let text = CurlFrameKind(rawValue: 1)
    static let binary = CurlFrameKind(rawValue: 2)
    /// Further frames of the same message follow.
    static let isContinued = CurlFrameKind(rawValue: 4)
    static let close = CurlFrameKind(rawValue: 8)
    static let ping = CurlFrameKind(rawValue: 16)
    static let pong = CurlFrameKind(rawValue: 64)
}
#endif
