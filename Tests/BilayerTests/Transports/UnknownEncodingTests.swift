import Bilayer
import BilayerTesting
import Foundation
import Testing

@Suite("A response in an encoding that libcurl does not know", .timeLimit(.minutes(5)))
struct UnknownEncodingTests {
    #if os(Linux)
    static let encodings = ["utf-8", "aws-chunked", "compress", "x-zip", "gzip, utf-8"]

    @Test("is not supported, keeps its head, and is not sent again", arguments: BuiltInTransport.allCases, encodings)
    func whole(by choice: BuiltInTransport, encoding: String) async throws {
        let server = try await FaultServer.start()
        let headers: HTTPHeaders = [.contentEncoding: encoding, "X-Request-ID": "7"]
        server.on(.get, "/x", .data(Data(#"{"a":1}"#.utf8), status: 201, headers: headers))
        let transport = try choice.transport()
            .wrapped(by: .retry(.exponential(attempts: 3, firstWait: .milliseconds(1))))
        let error = await transport.failure(of: HTTPRequest(url: server.url.appending(path: "x")))
        #expect(error?.kind == .unsupported)
        let unknown = encoding.split(separator: " ").last ?? ""
        #expect(error?.detail?.contains("\(unknown)") == true)
        #expect(error?.detail?.hasPrefix("found a body in the encoding ") == true)
        #expect(error?.response?.status == 201)
        #expect(error?.response?.headers["X-Request-ID"] == "7")
        #expect(server.requests.count == 1)
    }

    @Test("is not supported as a stream either, and keeps its head", arguments: encodings)
    func stream(encoding: String) async throws {
        let server = try await FaultServer.start()
        let headers: HTTPHeaders = [.contentEncoding: encoding, "X-Request-ID": "7"]
        server.on(.get, "/x", .data(Data(#"{"a":1}"#.utf8), headers: headers))
        var request = HTTPRequest(url: server.url.appending(path: "x"))
        request.streamsResponse = true
        let error = await (try CurlTransport()).failure(of: request)
        #expect(error?.kind == .unsupported)
        #expect(error?.response?.status == 200)
        #expect(error?.response?.headers["X-Request-ID"] == "7")
    }
    #endif

    @Test("names no encoding by identity and none", arguments: BuiltInTransport.allCases, ["identity", "none", "None"])
    func none(by choice: BuiltInTransport, encoding: String) async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/x", .data(Data("[1]".utf8), headers: [.contentEncoding: encoding]))
        for isStreamed in [false, true] {
            var request = HTTPRequest(url: server.url.appending(path: "x"))
            request.streamsResponse = isStreamed
            let response = try await choice.transport().process(request).collected()
            #expect(response.body == Data("[1]".utf8))
        }
    }
}
