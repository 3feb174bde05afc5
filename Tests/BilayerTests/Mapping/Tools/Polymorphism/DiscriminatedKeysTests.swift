import Bilayer
import Foundation
import Testing

private struct CardEntry: Codable, RawMappable, Equatable { let last4: String }

private enum PaymentEntry: Discriminated, Decodable {
    case card(CardEntry, brand: String)
    case other(Json)

    static let discriminator = Discriminator<PaymentEntry>
        .on(
            "type",
            ["card": { .card(try .from(raw: $0), brand: try $0.decode("type")) }],
            otherwise: { .other($0) }
        )
}

/// The tag is deep in an object, `meta`, that the variant does not read.
private enum DeepEntry: Discriminated, Decodable {
    case card(CardEntry)
    static let discriminator = Discriminator<DeepEntry>.on("meta.tags[0].kind", ["card": { .card(try .from(raw: $0)) }])
}

private enum TreeEntry: Discriminated, Decodable {
    case branch(Branch)
    case leaf

    struct Branch: Decodable, RawDecodable { let children: [TreeEntry] }

    /// Counts the variants that are read.
    final class Readings: Sendable {
        @TaskLocal static var current: Readings?
        let count = Locked(0)
    }

    static let discriminator = Discriminator<TreeEntry>
        .on(
            "type",
            [
                "branch": { raw in
                    Readings.current?.count.withLock { $0 += 1 }
                    return .branch(try .from(raw: raw))
                },
                "leaf": { _ in .leaf },
            ]
        )
}

private func reporting(limit: Int = 100) -> MappingPolicy {
    var policy = MappingPolicy.standard
    policy.unknownKeys = .report
    policy.issueLimit = limit
    return policy
}

/// The tag is read by the discriminator, so it is no unknown key of the variant.
@Suite("Polymorphism by a tag, and keys that are unknown")
struct DiscriminatedKeysTests {
    private let good = #"{"type":"card","last4":"4"}"#
    private let bad = #"{"type":"card","last4":"4","zz":1}"#

    @Test(
        "the keys of the variant are told, at their paths, and counted beyond the limit",
        arguments: [(2, 3, 10), (2, 3, 2), (2, 3, 1), (100, 500, 100), (150, 5, 100), (99, 50, 100)]
    )
    func counts(bad: Int, good: Int, limit: Int) throws {
        let texts = Array(repeating: self.bad, count: bad) + Array(repeating: self.good, count: good)
        let json = try Json(parsing: "[\(texts.joined(separator: ","))]")
        let collected = CollectingReporter()
        _ = try collected.mapping(policy: reporting(limit: limit)) { try [PaymentEntry].from(raw: json) }
        let report = try #require(collected.reports.first)
        #expect(report.issues.map(\.path) == (0..<min(bad, limit)).map { [.index($0), .key("zz")] })
        #expect(report.omittedIssueCount == max(0, bad - limit))
    }

    @Test(
        "a variant gets the whole object, its tag included",
        arguments: [MappingPolicy.standard, reporting(), .strict]
    )
    func whole(policy: MappingPolicy) throws {
        let raw = try Json(parsing: good)
        for mapped in [
            mapping(policy) { try PaymentEntry.from(raw: raw) },
            mapping(policy) { try [PaymentEntry].from(raw: [raw])[0] },
        ] {
            guard case .card(CardEntry(last4: "4"), brand: "card") = mapped.value else {
                Issue.record("no card: \(mapped.lines)")
                continue
            }
            #expect(mapped.issues.isEmpty)
        }
        #expect(mapping(.strict) { try PaymentEntry.from(raw: Json(parsing: bad)) }.lines == ["error unknown key $.zz"])
    }

    @Test("members beside a tag deep inside are unknown, those on the way to it are not")
    func beside() throws {
        let bare = try Json(parsing: #"{"meta":{"tags":[{"kind":"card"},7]},"last4":"4"}"#)
        for policy in [reporting(), .strict] {
            let mapped = mapping(policy) { try DeepEntry.from(raw: bare) }
            #expect(mapped.value != nil && mapped.issues.isEmpty)
        }
        let more = try Json(parsing: #"{"meta":{"tags":[{"kind":"card","yy":1}],"zz":1},"last4":"4"}"#)
        let paths = ["$.meta.tags[0].yy", "$.meta.zz"]
        #expect(mapping(reporting()) { try DeepEntry.from(raw: more) }.issues.map(\.path.description) == paths)
        #expect(mapping(.strict) { try DeepEntry.from(raw: more) }.issues.map(\.path.description) == paths)
    }

    @Test("the same key further inside is unknown, and so is a tag in another object")
    func elsewhere() throws {
        struct Wallet: Decodable, RawDecodable {
            struct Owner: Decodable { let name: String }
            let main: PaymentEntry
            let owner: Owner
        }
        let json = try Json(parsing: #"{"type":"x","main":\#(good),"owner":{"type":"card","name":"a"}}"#)
        let paths = ["$.type", "$.owner.type"]
        #expect(mapping(reporting()) { try Wallet.from(raw: json) }.issues.map(\.path.description) == paths)
    }

    @Test("by hand, in a part and in a changed copy of the object, the tag is none either")
    func byHand() throws {
        enum HandEntry: Discriminated {
            case only, part, changed

            static let discriminator = Discriminator<HandEntry>
                .on(
                    "card.kind",
                    [
                        "only": { raw in
                            try raw.expectOnly()
                            return .only
                        },
                        "part": { raw in
                            _ = try raw.decode("card") as CardEntry
                            return .part
                        },
                        "changed": { raw in
                            var copy = raw
                            copy["more"] = 1
                            try copy.expectOnly("more")
                            return .changed
                        },
                    ]
                )
        }
        let texts = [
            #"{"card":{"kind":"only"}}"#, #"{"card":{"kind":"part","last4":"4"}}"#, #"{"card":{"kind":"changed"}}"#,
        ]
        let json = try Json(parsing: "[\(texts.joined(separator: ","))]")
        let mapped = mapping(.strict) { try [HandEntry].from(raw: json) }
        #expect(mapped.value == [.only, .part, .changed] && mapped.issues.isEmpty)
        let more = try Json(parsing: #"{"card":{"kind":"only","zz":1}}"#)
        #expect(mapping(.strict) { try HandEntry.from(raw: more) }.lines == ["error unknown key $.card.zz"])
    }

    @Test("without a mapping, a type's own rule for unknown keys leaves the tag out, too")
    func ownRule() throws {
        struct Consent: Codable, RawMappable, ChecksUnknownKeys {
            static let unknownKeys = MappingPolicy.UnknownKeys.fail
            let accepted: Bool
        }
        enum Answer: Discriminated {
            case consent(Consent)
            static let discriminator = Discriminator<Answer>.on("type", ["consent": { .consent(try .from(raw: $0)) }])
        }
        _ = try Answer.from(raw: ["type": "consent", "accepted": true])
        #expect(throws: MappingError.self) { try Answer.from(raw: ["type": "consent", "accepted": true, "zz": 1]) }
    }

    /// With a second reading at each level, this test would not end.
    @Test("each variant is read once, however deep it is", arguments: [reporting(), .strict])
    func once(policy: MappingPolicy) throws {
        var text = #"{"type":"leaf"}"#
        let levels = 60
        for _ in 0..<levels { text = #"{"type":"branch","children":[\#(text)]}"# }
        let json = try Json(parsing: text)
        let readings = TreeEntry.Readings()
        let mapped = TreeEntry.Readings.$current.withValue(readings) {
            mapping(policy) { try TreeEntry.from(raw: json) }
        }
        #expect(mapped.value != nil && mapped.issues.isEmpty)
        #expect(readings.count.withLock { $0 } == levels)
    }
}
