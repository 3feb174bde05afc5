import Bilayer
import BilayerTesting
import Foundation

// Faults before the head is complete, and heads that are no head.
extension OutcomeRow {
    static let heads: [Self] = [
        .fails("close on accept", .closeBeforeAnswer, at: .accept, .connectionLost, isRetried: true),
        .fails("reset on accept", .resetBeforeAnswer, at: .accept, .connectionLost, isRetried: true) {
            $0.otherKind = .cannotConnect
        },
        .fails("silence on accept", .hold, at: .accept, .timedOut, isRetried: true) { $0.timeout = .seconds(1) },
        .fails("certificate that is not trusted", .json("[]"), .secureConnectionFailed) {
            ($0.certificate, $0.requests) = (ServerCertificate(), 0)
        },
        .fails("close before the answer", .closeBeforeAnswer, .connectionLost, isRetried: true),
        .fails("reset before the answer", .resetBeforeAnswer, .connectionLost, isRetried: true),
        .fails("close inside the head", .closeInHead(after: 30), .connectionLost, isRetried: true) {
            $0.endsURLSession = true
        },
        .fails("no answer", .hold, .timedOut, isRetried: true) { $0.timeout = .seconds(1) },
        .fails("stall in the head", .stallInHead, .timedOut, isRetried: true) { $0.timeout = .seconds(1) },
        .fails("close after 100 Continue", .interim(100, then: .closeBeforeAnswer), .connectionLost, isRetried: true),
        .answers("1xx before the answer", .interim(100, 102, 103, then: .json("[]"))),
        .answers("answer of a few bytes at a time", .json("[]").throttled(to: 1_000)),
        .fails("not HTTP", .notHTTP, .malformedResponse),
        .fails("status line without a number", .statusLine("HTTP/1.1 abc OK"), .malformedResponse),
        .fails("status line of another version", .statusLine("HTTP/7.3 200 OK"), .malformedResponse),
        .fails("status line of two digits", .statusLine("HTTP/1.1 99 X"), .malformedResponse),
        .fails("status line of four digits", .statusLine("HTTP/1.1 2000 X"), .malformedResponse),
        .fails("field without a colon", .headerWithoutColon, .malformedResponse),
        .fails("head of 2,000 fields", .hugeHead(fields: 2_000, bytes: 10), .responseTooLarge) {
            $0.session = Outcome(status: 200, body: "{}")
        },
        .fails("head of 270 KB", .hugeHead(fields: 30, bytes: 9_000), .responseTooLarge) {
            $0.session = Outcome(status: 200, body: "{}")
        },
        .fails("field of 200 KB", .hugeHead(fields: 1, bytes: 200_000), .responseTooLarge),
    ]
}
