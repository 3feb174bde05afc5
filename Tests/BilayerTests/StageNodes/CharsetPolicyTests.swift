import Bilayer
import BilayerTesting
import Foundation
import Testing

@Suite("Charsets of responses")
struct CharsetPolicyTests {
    private static let text = #"{"name":"Zoë 中🜁"}"#

    private func client(_ body: Data, _ type: String) -> Client {
        let stub = StubTransport { _, _ in
            HTTPResponse(status: 200, headers: [.contentType: type], body: body)
        }
        return Client(baseURL: URL("https://example.com"), transport: stub)
    }

    private static func utf16(_ text: String, bigEndian: Bool) -> Data {
        Data(text.utf16.flatMap { bigEndian ? [UInt8($0 >> 8), UInt8($0 & 255)] : [UInt8($0 & 255), UInt8($0 >> 8)] })
    }

    @Test(
        "a byte order mark decides, then the parameter",
        arguments: [
            (Data([0xEF, 0xBB, 0xBF]) + Data(text.utf8), "application/json; charset=utf-16"),
            (Data(text.utf8), "application/json; charset=\"UTF-8\""),
            (Data([0xFF, 0xFE]) + utf16(text, bigEndian: false), "application/json"),
            (Data([0xFE, 0xFF]) + utf16(text, bigEndian: true), "application/json; charset=utf-8"),
            (utf16(text, bigEndian: true), "application/json; charset=UTF-16BE"),
            (utf16(text, bigEndian: false), "application/json; charset=utf-16le"),
            (utf16(text, bigEndian: true), "application/json; charset=utf-16"),
            (utf16(text, bigEndian: false), "application/json; charset=utf-16"),
        ]
    )
    func unicode(body: Data, type: String) async throws {
        let json = try await client(body, type).fetch(Route<Json>.get("x"))
        #expect(json["name"]?.string == "Zoë 中🜁")
    }

    @Test func latinTextIsReadAsWindows1252() async throws {
        let body = Data(#"{"name":"Zo"#.utf8) + [0xEB, 0x20, 0x80, 0x9F] + Data("\"}".utf8)
        for name in ["iso-8859-1", "latin1", "windows-1252"] {
            let json = try await client(body, "application/json; charset=\(name)").fetch(Route<Json>.get("x"))
            #expect(json["name"]?.string == "Zoë €Ÿ")
        }
        let text = try await client(Data([0xE9]), "text/plain; charset=iso-8859-1").fetch(Route<String>.get("x"))
        #expect(text == "é")
    }

    @Test(
        "any other is an error that names it",
        arguments: [
            (Data("{}".utf8), "application/json; charset=koi8-r", "found charset koi8-r"),
            (Data([0xD8, 0x00, 0x00, 0x20]), "application/json; charset=utf-16be", "expected UTF-16"),
            (Data([0x00, 0x7B, 0x00]), "application/json; charset=utf-16be", "expected UTF-16"),
        ]
    )
    func refused(body: Data, type: String, message: String) async throws {
        let error = await #expect(throws: CallError.self) { try await client(body, type).fetch(Route<Json>.get("x")) }
        #expect("\(try #require(error))".contains(message))
    }

    @Test func aPolicyRefusesEverythingButUTF8() async throws {
        let body = Self.utf16("{}", bigEndian: true)
        let route = Route<Json>.get("x").with(option: CharsetPolicy.onlyUTF8)
        let error = await #expect(throws: CallError.self) {
            try await client(body, "application/json; charset=utf-16").fetch(route)
        }
        #expect("\(try #require(error))".contains("expected UTF-8, found UTF-16"))
        let json = try await client(Data([0xEF, 0xBB, 0xBF]) + Data("{}".utf8), "application/json").fetch(route)
        #expect(json == [:])
    }

    @Test func bytesAreNeverConverted() async throws {
        let body = Self.utf16("{}", bigEndian: true)
        #expect(try await client(body, "text/plain; charset=utf-16").fetch(Route<Data>.get("x")) == body)
    }

    @Test func textHasNoByteOrderMark() async throws {
        let body = Data([0xEF, 0xBB, 0xBF]) + Data("é".utf8)
        let text = try await client(body, "text/plain").fetch(Route<String>.get("x"))
        #expect(Array(text.utf8) == [0xC3, 0xA9])
    }
}
