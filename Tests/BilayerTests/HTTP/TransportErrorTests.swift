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
            ("Some other words", .other),
        ] as [(String, TransportError.Kind)]
    )
    func wordsOfUnknownErrorsHaveKinds(text: String, kind: TransportError.Kind) {
        let error = URLError(.unknown, userInfo: [NSLocalizedDescriptionKey: text])
        #expect(TransportError(error, announced: nil, partial: nil, count: nil).kind == kind)
    }

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
