import Testing

@testable import Bilayer

@Suite("Codes that close a WebSocket")
struct WebSocketCloseCodeTests {
    @Test("the names are those of RFC 6455 §7.4.1")
    func names() {
        let named: [(WebSocketCloseCode, UInt16)] = [
            (.normalClosure, 1000), (.goingAway, 1001), (.protocolError, 1002), (.unsupportedData, 1003),
            (.noCode, 1005), (.abnormalClosure, 1006), (.invalidData, 1007), (.policyViolation, 1008),
            (.messageTooBig, 1009), (.internalError, 1011),
        ]
        for (code, number) in named { #expect(code.rawValue == number) }
    }

    @Test(
        "codes that only name a state, or that nobody may use, are never sent (RFC 6455 §7.4)",
        arguments: [
            (0, false), (999, false), (1000, true), (1003, true), (1004, false), (1005, false), (1006, false),
            (1007, true), (1014, true), (1015, false), (1016, false), (2999, false), (3000, true), (4999, true),
            (5000, false), (65_535, false),
        ] as [(UInt16, Bool)]
    )
    func sentCodes(code: UInt16, isSent: Bool) {
        #expect(WebSocketCloseCode(rawValue: code).isSendable == isSent)
        #if os(Linux)
        let payload = CurlChannel.payload(WebSocketCloseCode(rawValue: code), "bye")
        #expect(Array(payload) == (isSent ? [UInt8(code >> 8), UInt8(code & 0xFF)] + Array("bye".utf8) : []))
        #endif
    }
}
