import Foundation
import Testing

@testable import Bilayer

@Suite("HTTPResponse")
struct HTTPResponseTests {
    @Test func descriptionHasSizeAndTypeOnly() {
        let body = Data(repeating: 0x41, count: 18_432)
        let response = HTTPResponse(status: 200, headers: [.contentType: "application/json; charset=utf-8"], body: body)
        #expect(response.description == "200 OK, 18.4 kB, application/json")
        #expect(HTTPResponse(status: 204).description == "204 No Content, 0 B")
    }

    @Test func dumpHasNoSecrets() {
        var dumped = ""
        dump(HTTPResponse(status: 200, headers: [.setCookie: "s3cr3t"], body: Data("s3cr3t".utf8)), to: &dumped)
        #expect(!dumped.contains("s3cr3t"))
    }

    @Test(arguments: [
        (0, "0 B"), (1, "1 B"), (999, "999 B"), (1000, "1.0 kB"), (1049, "1.0 kB"), (1050, "1.1 kB"),
        (18_432, "18.4 kB"),
        (999_949, "999.9 kB"), (999_950, "1.0 MB"), (67_108_864, "67.1 MB"), (5_000_000_000, "5.0 GB"),
        (Int.max, "9.2 EB"),
        (-1, "-1 B"), (Int.min, "-9.2 EB"),
    ])
    func byteCounts(count: Int, text: String) {
        #expect(byteCountText(count) == text)
    }
}
