import Bilayer
import Foundation
import Testing

/// Both transports, where the platform has them.
enum BuiltInTransport: String, CaseIterable, Sendable, CustomTestStringConvertible {
    #if os(Linux)
    case curl
    #endif
    case urlSession

    /// The transports of the platform, or those that `BILAYER_TRANSPORTS` names. A run with another libcurl names only
    /// `curl`, because `FoundationNetworking` traps with a libcurl that is not its own.
    static let allCases: [Self] = {
        let names = ProcessInfo.processInfo.environment["BILAYER_TRANSPORTS"]?.split(separator: ",").map(String.init)
        #if os(Linux)
        let all = [curl, urlSession]
        #else
        let all = [urlSession]
        #endif
        return names.map { names in all.filter { names.contains($0.rawValue) } } ?? all
    }()

    var testDescription: String { rawValue }

    /// A transport whose requests wait up to ten minutes for the next byte, unless they have a time limit of their own.
    /// On a slow machine, a test with a held answer may wait for hundreds of others.
    func transport(maximumResponseBytes: Int = 64 << 20) throws -> AnyNode<HTTPRequest, HTTPResponse> {
        let transport: AnyNode<HTTPRequest, HTTPResponse> =
            switch self {
            #if os(Linux)
            case .curl: try CurlTransport(maximumResponseBytes: maximumResponseBytes).erased()
            #endif
            case .urlSession: URLSessionTransport(maximumResponseBytes: maximumResponseBytes).erased()
            }
        let patient = AnyNode<HTTPRequest, HTTPRequest> { request, _ in
            var request = request
            request.timeout = request.timeout ?? .seconds(600)
            return request
        }
        return patient.then(transport).erased()
    }
}
