import Bilayer
import Testing

private struct SellerEntry: Codable, RawMappable, Hashable {
    var name: String?
    var ratings: [Int]
}

private let noSeller = SellerEntry(name: "nobody", ratings: [0])

/// The fields have a default for invalid values.
private struct OfferEntry: Codable, RawMappable, Hashable {
    enum Rank: DefaultProvider { static let defaults = Defaults<Int?>(ifInvalid: .some(5)) }
    enum Sizes: DefaultProvider { static let defaults = Defaults<[Int]>(ifInvalid: [9]) }
    enum Codes: DefaultProvider { static let defaults = Defaults<Set<Int>>(ifInvalid: [9]) }
    enum Prices: DefaultProvider { static let defaults = Defaults<[String: Int]>(ifInvalid: ["none": 9]) }
    enum Seller: DefaultProvider { static let defaults = Defaults(ifInvalid: noSeller) }

    @Default<Rank> var rank: Int?
    @Default<Sizes> var sizes: [Int]
    @Default<Codes> var codes: Set<Int>
    @Default<Prices> var prices: [String: Int]
    @Default<Seller> var seller: SellerEntry
}

/// The entry, read by hand.
private struct OfferByHand: RawDecodable {
    let entry: OfferEntry

    static func from(raw: Json) throws -> OfferByHand {
        func field<Value: RawDecodable>(_ key: String, _ ifInvalid: Value) throws -> Value where Value.Raw == Json {
            try raw.decode(key, ifInvalid: ifInvalid)
        }
        return try OfferByHand(
            entry: OfferEntry(
                rank: field("rank", .some(5)),
                sizes: field("sizes", [9]),
                codes: field("codes", [9]),
                prices: field("prices", ["none": 9]),
                seller: field("seller", noSeller)
            )
        )
    }
}

private struct ListedOffer: Codable, RawMappable {
    let offers: [OfferEntry]
    let best: OfferEntry?
}

/// The fields have a default for missing values only.
private struct SparseEntry: Codable, RawMappable, Hashable {
    enum Rank: DefaultProvider { static let defaults = Defaults<Int?>(ifMissing: .some(5)) }
    enum Sizes: DefaultProvider { static let defaults = Defaults<[Int]>(ifMissing: [9]) }
    enum Codes: DefaultProvider { static let defaults = Defaults<[Int]>(ifMissing: [9]) }

    @Default<Rank> var rank: Int?
    @Default<Sizes> var sizes: [Int]
    @Default<Codes> var codes: [Int]
}

private struct SparseByHand: RawDecodable {
    let entry: SparseEntry

    static func from(raw: Json) throws -> SparseByHand {
        func field<Value: RawDecodable>(_ key: String, _ ifMissing: Value) throws -> Value where Value.Raw == Json {
            try raw.decode(key, ifMissing: ifMissing)
        }
        return try SparseByHand(
            entry: SparseEntry(
                rank: field("rank", .some(5)),
                sizes: field("sizes", [9]),
                codes: field("codes", [9])
            )
        )
    }
}

/// Counts how often the reading of a box begins.
private final class BoxCount: Sendable {
    @TaskLocal static var current: BoxCount?
    private let total = Locked(0)
    var count: Int { total.withLock { $0 } }
    func add() { total.withLock { $0 += 1 } }
}

private enum NoBox: DefaultProvider {
    static let defaults = Defaults<[BoxEntry]>(ifMissing: [], ifInvalid: [])
}

private struct BoxEntry: Decodable, RawDecodable, Sendable {
    enum CodingKeys: CodingKey { case inner, label }

    let inner: [BoxEntry]
    let label: String?

    init(from decoder: any Decoder) throws {
        BoxCount.current?.add()
        let container = try decoder.container(keyedBy: CodingKeys.self)
        inner = try container.decode(Default<NoBox>.self, forKey: .inner).wrappedValue
        label = try container.decodeIfPresent(String.self, forKey: .label)
    }

    var depth: Int { 1 + (inner.first?.depth ?? 0) }
}

private let policies: [MappingPolicy] = {
    var collectingToo = MappingPolicy.salvaging
    collectingToo.collectsAll = true
    var reportingKeys = MappingPolicy.salvaging
    reportingKeys.unknownKeys = .report
    return [.standard, .collectingAll(), .salvaging, collectingToo, reportingKeys]
}()

@Suite("Defaults under every policy")
struct DefaultsUnderPoliciesTests {
    private let defaults = OfferEntry(rank: 5, sizes: [9], codes: [9], prices: ["none": 9], seller: noSeller)
    private let replaced = ["codes", "prices", "rank", "seller", "sizes"].map { "warning used default $.\($0)" }

    @Test(
        "a field of which a part cannot be read has the default that its type declares",
        arguments: [
            #"{"rank":"x","sizes":[1,"x"],"codes":["x",1],"prices":{"a":1,"b":"x"},"seller":{"name":7,"ratings":[1]}}"#,
            #"{"rank":[],"sizes":["x"],"codes":{},"prices":{"b":"x"},"seller":{"name":"Ann","ratings":[1,"x"]}}"#,
        ],
        policies
    )
    func broken(text: String, policy: MappingPolicy) throws {
        let json = try Json.of(text)
        let read = mapping(policy) { try OfferEntry.from(raw: json) }
        #expect(read.value == defaults)
        #expect(read.lines.sorted() == replaced)
        #expect(read.issues.allSatisfy { !$0.causes.isEmpty })
        let byHand = mapping(policy) { try OfferByHand.from(raw: json) }
        #expect(byHand.value?.entry == defaults)
        #expect(byHand.lines.sorted() == replaced)
        let listed = mapping(policy) { try ListedOffer.from(raw: ["offers": [json, json], "best": json]) }
        #expect(listed.value?.offers == [defaults, defaults] && listed.value?.best == defaults)
        #expect(listed.issues.count == 15 && listed.issues.allSatisfy { $0.kind == .usedDefault })
    }

    @Test("a value that can be read has no default", arguments: policies)
    func intact(policy: MappingPolicy) throws {
        let json = try Json.of(
            #"{"rank":null,"sizes":[1],"codes":[],"prices":{"a":1},"seller":{"name":"Ann","ratings":[1]}}"#
        )
        let seller = SellerEntry(name: "Ann", ratings: [1])
        let expected = OfferEntry(rank: nil, sizes: [1], codes: [], prices: ["a": 1], seller: seller)
        let read = mapping(policy) { try OfferEntry.from(raw: json) }
        #expect(read.value == expected && read.issues.isEmpty)
        let byHand = mapping(policy) { try OfferByHand.from(raw: json) }
        #expect(byHand.value?.entry == expected && byHand.issues.isEmpty)
    }

    @Test("a lossy list loses its elements inside a value with a default", arguments: policies)
    func lossy(policy: MappingPolicy) throws {
        struct Shelf: Codable, RawMappable {
            struct Row: Codable { @Lossy var sizes: [Int] }
            enum NoRow: DefaultProvider { static let defaults = Defaults(ifInvalid: Row(sizes: [])) }
            @Default<NoRow> var row: Row
        }
        let mapped = mapping(policy) { try Shelf.from(raw: Json.of(#"{"row":{"sizes":[1,"x",2]}}"#)) }
        #expect(mapped.value?.row.sizes == [1, 2])
        #expect(mapped.lines == ["warning dropped $.row.sizes[1]"])
    }

    @Test("the keys of a value that a default has replaced are not checked")
    func unknownKeys() throws {
        var policy = MappingPolicy.salvaging
        policy.unknownKeys = .report
        let parts = #""rank":1,"sizes":[],"codes":[],"prices":{}"#
        let bad = try Json.of(#"{\#(parts),"seller":{"name":7,"ratings":[1],"since":2020}}"#)
        #expect(mapping(policy) { try OfferEntry.from(raw: bad) }.lines == ["warning used default $.seller"])
        let good = try Json.of(#"{\#(parts),"seller":{"name":"Ann","ratings":[1],"since":2020}}"#)
        #expect(mapping(policy) { try OfferEntry.from(raw: good) }.lines == ["warning unknown key $.seller.since"])
    }

    @Test("with a default for missing values only, a list is salvaged, and what cannot be read has the default")
    func sparse() throws {
        let json = try Json.of(#"{"rank":"x","sizes":[1,"x",2],"codes":["x"]}"#)
        let expected = SparseEntry(rank: 5, sizes: [1, 2], codes: [9])
        let lines = ["warning dropped $.codes", "warning dropped $.rank", "warning dropped $.sizes[1]"]
        let read = mapping(.salvaging) { try SparseEntry.from(raw: json) }
        #expect(read.value == expected && read.lines.sorted() == lines)
        let byHand = mapping(.salvaging) { try SparseByHand.from(raw: json) }
        #expect(byHand.value?.entry == expected && byHand.lines.sorted() == lines)
        #expect(mapping { try SparseEntry.from(raw: json) }.error != nil)
    }

    @Test("the cause of a default names the type that declares the field, and what was found", arguments: policies)
    func causes(policy: MappingPolicy) throws {
        struct Basket: Codable, RawMappable {
            struct Fruit: Codable { let weight: Int? }
            enum Empty: DefaultProvider { static let defaults = Defaults<[Fruit]>(ifInvalid: []) }
            @Default<Empty> var fruits: [Fruit]
        }
        let json = try Json.of(#"{"fruits":[{"weight":1},{"weight":"x"}]}"#)
        let cause = try #require(mapping(policy) { try Basket.from(raw: json) }.issues.first?.causes.first)
        #expect(cause.path.description == "$.fruits[1].weight")
        #expect(cause.owner?.hasSuffix("Fruit") == true)
        #expect(cause.found?.description.hasPrefix("string") == true)
    }

    @Test("a value inside values with defaults is read a few times, however many levels there are")
    func depth() throws {
        let levels = 40
        let text = (0..<levels).reduce(#"{"label":7}"#) { inner, _ in #"{"inner":[\#(inner)],"label":7}"# }
        let count = BoxCount()
        let mapped = try BoxCount.$current.withValue(count) {
            let json = try Json(parsing: text)
            return mapping(.salvaging) { try BoxEntry.from(raw: json) }
        }
        #expect(mapped.value?.depth == 1)
        #expect(count.count < 5 * levels)
    }
}
