#if os(Linux)
import Testing

@testable import Bilayer

@Suite("CurlHead")
struct CurlHeadTests {
    @Test func readsStatusAndFields() throws {
        var head = CurlHead()
        for line in ["HTTP/2 204 \r\n", "a: 1 \r\n", "B:\t2\r\n", "\t3\r\n", "c:\r\n", "\r\n", "late: 1\r\n"] {
            try head.receive(line, count: line.utf8.count)
        }
        #expect(head.isComplete)
        #expect(head.status == 204)
        #expect(head.headers.map { "\($0.name.rawValue)=\($0.value)" } == ["a=1", "B=2 3", "c="])
        #expect(head.announcedCount == nil)
    }

    /// RFC 9110 §5.5: a blank replaces each character that no value may have. The field is not lost.
    @Test func returnsInsideOfAValueAreBlanks() throws {
        var head = CurlHead()
        for line in ["HTTP/1.1 200 OK\r\n", "a: 1\r2\0\r\n", "\r\n"] { try head.receive(line, count: line.utf8.count) }
        #expect(head.headers["a"] == "1 2")
    }

    @Test func anInterimHeadLeavesNothing() throws {
        var head = CurlHead()
        for line in [
            "HTTP/1.1 103 E\r\n", "link: a\r\n", "\r\n", "HTTP/1.1 200 OK\r\n", "content-length: 7\r\n", "\r\n",
        ] {
            try head.receive(line, count: line.utf8.count)
        }
        #expect(head.status == 200)
        #expect(head.announcedCount == 7)
        #expect(head.headers.count == 1)
    }

    @Test(arguments: ["HTTP/1.1 20 OK", "HTTP/1.1 abc", "HTTP/1.1", "FTP/1 200", "HTTP/1.1 +20 OK", "HTTP/1.1 099 OK"])
    func absurdStatusLinesAreRefused(line: String) {
        var head = CurlHead()
        let error = #expect(throws: TransportError.self) { try head.receive(line, count: line.utf8.count) }
        #expect(error?.kind == .malformedResponse)
    }

    @Test func theNumberOfFieldsHasALimit() throws {
        var head = CurlHead()
        try head.receive("HTTP/1.1 200 OK\r\n", count: 17)
        for _ in 0..<CurlHead.maximumFields { try head.receive("a: b\r\n", count: 6) }
        let error = #expect(throws: TransportError.self) { try head.receive("a: b\r\n", count: 6) }
        #expect(error?.description == "response too large: found more header fields, expected at most 1000")
    }

    @Test func theSizeHasALimit() throws {
        var head = CurlHead()
        try head.receive("HTTP/1.1 200 OK\r\n", count: 17)
        try head.receive("a: b\r\n", count: CurlHead.maximumBytes - 17)
        let error = #expect(throws: TransportError.self) { try head.receive("\r\n", count: 2) }
        #expect(error?.kind == .responseTooLarge)
    }
}
#endif
