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
        let error = TransportError(URLError(code), head: nil, partial: nil, count: 0)
        #expect(error.kind == kind)
        #expect((error.underlyingError as? URLError)?.code == code)
    }

    /// Apple's codes for a body that is cut, badly chunked or badly compressed, and those of Linux.
    @Test(
        arguments: [
            .networkConnectionLost, .cannotDecodeRawData, .cannotDecodeContentData, .cannotParseResponse, .unknown,
        ] as [URLError.Code]
    )
    func behindAHeadTheBodyIsBroken(code: URLError.Code) throws {
        let url = try #require(URL(string: "http://h/?token=s3cr3t"))
        let head = URLResponse(url: url, mimeType: nil, expectedContentLength: -1, textEncodingName: nil)
        let error = TransportError(URLError(code), head: head, partial: fiveBytes, count: 5)
        #expect(error.kind == .brokenBody)
        #expect(error.description == "broken response body: found 5 bytes, expected a complete body")
        #expect(error.response == fiveBytes)
    }

    @Test func aTimeLimitBehindAHeadStaysOne() throws {
        let url = try #require(URL(string: "http://h/"))
        let head = URLResponse(url: url, mimeType: nil, expectedContentLength: 10, textEncodingName: nil)
        #expect(TransportError(URLError(.timedOut), head: head, partial: fiveBytes, count: 5).kind == .timedOut)
    }

    @Test(
        arguments: [
            ("SSL certificate problem: self-signed certificate", .secureConnectionFailed),
            ("OpenSSL SSL_read: Connection reset by peer, errno 104", .connectionLost),
            ("Recv failure: Connection timed out", .connectionLost), ("Header without colon", .malformedResponse),
            ("Unsupported HTTP version in response", .malformedResponse), ("Out of memory", .other),
        ] as [(String, TransportError.Kind)]
    )
    func wordsOfUnknownErrorsHaveKinds(text: String, kind: TransportError.Kind) {
        let error = URLError(.unknown, userInfo: [NSLocalizedDescriptionKey: text])
        #expect(TransportError(error, head: nil, partial: nil, count: 0).kind == kind)
    }

    @Test func secretsOfTheUnderlyingErrorStayInside() {
        let secret = URLError(.timedOut, userInfo: [NSURLErrorFailingURLErrorKey: "http://h/?token=s3cr3t"])
        let error = TransportError(secret, head: nil, partial: nil, count: 0)
        var dumped = ""
        dump(error, to: &dumped)
        #expect(!"\(error)\(String(reflecting: error))\(dumped)".contains("s3cr3t"))
        #expect(error.description == "timed out: URLError -1001")
    }
}

private let fiveBytes = HTTPResponse(status: 200, body: Data("12345".utf8))
