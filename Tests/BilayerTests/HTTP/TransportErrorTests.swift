import Foundation
import Testing

@testable import Bilayer

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("TransportError")
struct TransportErrorTests {
    @Test(
        arguments: [
            (.notConnectedToInternet, .notConnected), (.cannotFindHost, .cannotFindHost),
            (.dnsLookupFailed, .cannotFindHost),
            (.cannotConnectToHost, .cannotConnect), (.timedOut, .timedOut), (.networkConnectionLost, .connectionLost),
            (.cannotParseResponse, .malformedResponse), (.httpTooManyRedirects, .tooManyRedirects),
            (.secureConnectionFailed, .secureConnectionFailed), (.serverCertificateUntrusted, .secureConnectionFailed),
            (.badURL, .invalidRequest), (.cancelled, .other), (.unknown, .other),
        ] as [(URLError.Code, TransportError.Kind)]
    )
    func codesHaveKinds(code: URLError.Code, kind: TransportError.Kind) {
        let error = TransportError(URLError(code), announced: nil, partial: nil, count: nil)
        #expect(error.kind == kind)
        #expect((error.underlyingError as? URLError)?.code == code)
    }

    /// Apple's codes for a body that is cut, badly chunked or badly compressed, and those of Linux.
    @Test(
        arguments: [
            .networkConnectionLost, .cannotDecodeRawData, .cannotDecodeContentData, .cannotParseResponse, .unknown,
        ] as [URLError.Code]
    )
    func behindAHeadTheBodyIsBroken(code: URLError.Code) {
        let error = TransportError(URLError(code), announced: -1, partial: fiveBytes, count: 5)
        #expect(error.kind == .brokenBody)
        #expect(error.description == "broken response body: found 5 bytes, expected a complete body")
        #expect(error.response == fiveBytes)
    }

    @Test func aTimeLimitBehindAHeadStaysOne() {
        #expect(TransportError(URLError(.timedOut), announced: 10, partial: fiveBytes, count: 5).kind == .timedOut)
    }

    @Test(
        arguments: [
            ("SSL certificate problem: self-signed certificate", .secureConnectionFailed),
            ("OpenSSL SSL_read: Connection reset by peer, errno 104", .connectionLost),
            ("Recv failure: Connection timed out", .connectionLost), ("Header without colon", .malformedResponse),
            ("Unsupported HTTP version in response", .malformedResponse), ("Out of memory", .responseTooLarge),
            ("Failed to connect to tls.example.com port 443 after 0 ms: Couldn't connect to server", .cannotConnect),
            ("Unrecognized content encoding type. libcurl understands gzip content encodings.", .unsupported),
            ("Some other words", .other),
        ] as [(String, TransportError.Kind)]
    )
    func wordsOfUnknownErrorsHaveKinds(text: String, kind: TransportError.Kind) {
        let error = URLError(.unknown, userInfo: [NSLocalizedDescriptionKey: text])
        #expect(TransportError(error, announced: nil, partial: nil, count: nil).kind == kind)
    }

    /// If all announced bytes have arrived, the error does not say that some are missing.
    @Test(arguments: [(0, 0), (5, 5), (5, 4)])
    func aLengthThatWasReachedIsNotExpected(count: Int, announced: Int64) {
        let error = TransportError(URLError(.unknown), announced: announced, partial: fiveBytes, count: count)
        #expect(error.description == "broken response body: found \(count) bytes, expected a complete body")
    }

    #if canImport(FoundationNetworking)
    /// The head that has arrived is that of the proxy.
    @Test(
        arguments: [
            "CONNECT tunnel failed, response 407", "Received HTTP code 407 from proxy after CONNECT",
        ]
    )
    func aRefusedTunnelIsNoResponse(text: String) {
        let error = URLError(.unknown, userInfo: [NSLocalizedDescriptionKey: text])
        for announced in [nil, -1, 0, 10] as [Int64?] {
            let found = TransportError(error, announced: announced, partial: fiveBytes, count: 0)
            #expect(found.description == "cannot connect to the host: the proxy answered 407, expected a tunnel")
            #expect(found.response == nil)
        }
    }

    @Test(
        "before a byte of the server's head, the head is that of a proxy",
        arguments: [
            (URLError.Code.unknown, "SSL certificate problem: self-signed certificate", .secureConnectionFailed),
            (.badServerResponse, "Empty reply from server", .connectionLost),
        ] as [(URLError.Code, String, TransportError.Kind)]
    )
    func insideATunnel(code: URLError.Code, text: String, kind: TransportError.Kind) {
        let error = URLError(code, userInfo: [NSLocalizedDescriptionKey: text])
        let found = TransportError(error, announced: -1, partial: fiveBytes, count: 0)
        #expect(found.kind == kind)
        #expect(found.response == nil)
    }

    @Test func anUnknownEncodingIsNotSupported() {
        let text = "Unrecognized content encoding type. libcurl understands gzip content encodings."
        let error = URLError(.unknown, userInfo: [NSLocalizedDescriptionKey: text])
        let head = HTTPResponse(status: 200, headers: [.contentEncoding: "utf-8"])
        let found = TransportError(error, announced: 7, partial: head, count: 0)
        let detail = "found a body in the encoding utf-8, expected one that libcurl can decode"
        #expect(found.description == "not supported: \(detail)")
        #expect(found.response == head)
    }
    #endif

    @Test func secretsOfTheUnderlyingErrorStayInside() {
        let secret = URLError(.timedOut, userInfo: [NSURLErrorFailingURLErrorKey: "http://h/?token=s3cr3t"])
        let error = TransportError(secret, announced: nil, partial: nil, count: nil)
        var dumped = ""
        dump(error, to: &dumped)
        #expect(!"\(error)\(String(reflecting: error))\(dumped)".contains("s3cr3t"))
        #expect(error.description == "timed out: URLError -1001")
    }
}

private let fiveBytes = HTTPResponse(status: 200, body: Data("12345".utf8))
