import Bilayer
import Testing

/// Both transports, where the platform has them.
enum BuiltInTransport: String, CaseIterable, Sendable, CustomTestStringConvertible {
    #if os(Linux)
    case curl
    #endif
    case urlSession

    var testDescription: String { rawValue }

    func transport(maximumResponseBytes: Int = 64 << 20) throws -> AnyNode<HTTPRequest, HTTPResponse> {
        switch self {
        #if os(Linux)
        case .curl: try CurlTransport(maximumResponseBytes: maximumResponseBytes).erased()
        #endif
        case .urlSession: URLSessionTransport(maximumResponseBytes: maximumResponseBytes).erased()
        }
    }
}
