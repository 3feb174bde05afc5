import Bilayer
import Foundation
import Testing

private enum Status: String, OpenEnum, Codable { case paid, sent }

private struct Shop: Codable, RawMappable, Hashable {
    var status: Open<Status>
    var all: [Open<Status>?]
    var byName: [String: Open<Status>]
    var counts: [Open<Status>: Int]
    var owner: TypedStringIdentifier<Shop>
    var visits: [TypedIntIdentifier<Shop>: TypedIntIdentifier<Status>]
}

private enum Figure: Discriminated, RawEncodable, Hashable {
    case circle(Double)
    case square(side: Int)
    case other(Json)

    static let discriminator = Discriminator<Figure>
        .on(
            "kind",
            ["circle": { .circle(try $0.decode("r")) }, "square": { .square(side: try $0.decode("side")) }],
            otherwise: { .other($0) }
        )

    func toRaw() throws -> Json {
        switch self {
        case .circle(let radius): (["r": try radius.toRaw()] as Json).tagged("kind", "circle")
        case .square(let side): (["side": Json(side)] as Json).tagged("kind", "square")
        case .other(let json): json
        }
    }
}

/// A tree whose conversion to a model requires every leaf.
private indirect enum Branch: Sendable {
    case leaf(Int?)
    case list([Branch])
    case members([String: Branch])
    case optional(Branch?)
}

private struct Bough: DTODecodable {
    static func from(dto: Branch) throws -> Bough {
        switch dto {
        case .leaf(let value): _ = try value.require("value")
        case .list(let branches): _ = try [Bough].from(dto: branches, at: "list")
        case .members(let branches): _ = try [String: Bough].from(dto: branches, at: "members")
        case .optional(let branch): _ = try Bough?.from(dto: branch, at: "optional")
        }
        return Bough()
    }
}

extension SplitMix64 {
    fileprivate mutating func pick<Value>(_ values: [Value]) -> Value { values[next(below: values.count)] }

    fileprivate mutating func flag() -> Bool { next(below: 2) == 0 }

    /// A branch, and the paths of the leaves that are missing in it.
    fileprivate mutating func branch(depth: Int, at path: String) -> (branch: Branch, missing: [String]) {
        switch depth == 0 ? 0 : next(below: 4) {
        case 1:
            let parts = (0..<next(below: 4)).map { branch(depth: depth - 1, at: "\(path).list[\($0)]") }
            return (.list(parts.map(\.branch)), parts.flatMap(\.missing))
        case 2:
            let name = pick(["a", "b c", "ä", "\"", "0"])
            let part = branch(depth: depth - 1, at: "\(path).members\(JsonPath([.key(name)]).description.dropFirst())")
            return (.members([name: part.branch]), part.missing)
        case 3:
            if flag() { return (.optional(nil), []) }
            let part = branch(depth: depth - 1, at: path + ".optional")
            return (.optional(part.branch), part.missing)
        default:
            let value = next(below: 3) == 0 ? nil : 7
            return (.leaf(value), value == nil ? [path + ".value"] : [])
        }
    }

    /// Any JSON, with objects and arrays inside each other.
    fileprivate mutating func json(depth: Int) -> Json {
        switch depth == 0 ? next(below: 3) : next(below: 5) {
        case 0: .null
        case 1: Json(next(below: 100))
        case 2: Json(pick(["", "a", "é"]))
        case 3: Json((0..<next(below: 3)).map { _ in json(depth: depth - 1) })
        default:
            Json(
                members: ["a", "b.c", "d\"e", "0"].prefix(next(below: 5))
                    .map { (key: $0, value: json(depth: depth - 1)) }
            )
        }
    }
}

@Suite("Generated values through every mapping tool")
struct GeneratedToolsTests {
    @Test(
        "open enums and identifiers come back as they were, known or not, and the unknown are told",
        arguments: 0..<50 as Range<UInt64>
    )
    func openEnumsAndIdentifiers(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let words = ["paid", "sent", "lost", "", "PAID", "é\n"]
        func status() -> Open<Status> { Open(rawValue: random.pick(words)) }
        var shop = Shop(
            status: status(),
            all: (0..<random.next(below: 4)).map { _ in random.flag() ? nil : status() },
            byName: ["x": status()],
            counts: Dictionary([(status(), 1), (status(), 2)]) { $1 },
            owner: .init(random.pick(words)),
            visits: [:]
        )
        for _ in 0..<random.next(below: 3) {
            shop.visits[.init(random.next(below: 99))] = .init(random.next(below: 99))
        }
        let raw = try shop.toRaw()
        let mapped = mapping { try Shop.from(raw: raw) }
        #expect(mapped.value == shop, "seed \(seed)")
        let unknown =
            ([shop.status] + shop.all.compactMap(\.self) + shop.byName.values + shop.counts.keys)
            .filter { $0.known == nil }
        #expect(mapped.issues.count == unknown.count, "seed \(seed)")
        #expect(try JSONDecoder().decode(Shop.self, from: raw.serialized()) == shop, "seed \(seed)")
        #expect(try Json(parsing: JSONEncoder().encode(shop)) == raw, "seed \(seed)")
    }

    @Test("an identifier is the text of its raw value, and nothing else", arguments: 0..<20 as Range<UInt64>)
    func identifiersAsText(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<100 {
            let number = Int(truncatingIfNeeded: random.next())
            let id = TypedIntIdentifier<Shop>(number)
            #expect(id.description == String(number) && TypedIntIdentifier<Shop>(id.description) == id, "seed \(seed)")
            #expect(
                try id.toRaw() == Json(number) && TypedIntIdentifier<Shop>.from(raw: id.toRaw()) == id,
                "seed \(seed)"
            )
            #expect(throws: MappingError.self) { try TypedIntIdentifier<Shop>.from(raw: Json(id.description)) }
            let text = random.pick(["x", " 1", "1.0", "", "+", "9223372036854775808"])
            #expect(TypedIntIdentifier<Shop>(text) == nil, "\(text)")
        }
    }

    @Test("shapes come back as they were, with unknown tags too", arguments: 0..<50 as Range<UInt64>)
    func shapes(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let shapes = (0..<random.next(below: 6))
            .map { _ -> Figure in
                switch random.next(below: 3) {
                case 0: .circle(Double(random.next(below: 1000)) / 8)
                case 1: .square(side: random.next(below: 100) - 50)
                default:
                    .other(
                        random.json(depth: 2).kind == .object
                            ? ["kind": "x"] : ["kind": "blob", "n": random.json(depth: 2)]
                    )
                }
            }
        let mapped = mapping { try [Figure].from(raw: shapes.toRaw()) }
        #expect(mapped.value == shapes, "seed \(seed)")
        let unknown = shapes.indices.filter { if case .other = shapes[$0] { true } else { false } }
        #expect(mapped.lines == unknown.map { "warning unknown value $[\($0)].kind" }, "seed \(seed)")
    }

    @Test(
        "a missing value is told at its whole path, wherever it is; collecting, every one of them",
        arguments: 0..<200 as Range<UInt64>
    )
    func missingValues(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let (branch, missing) = random.branch(depth: 5, at: "$")
        #expect(
            mapping { try Bough.from(dto: branch) }.issues.map(\.path.exactDescription) == Array(missing.prefix(1)),
            "seed \(seed)"
        )
        #expect(
            mapping(.collectingAll()) { try Bough.from(dto: branch) }.issues.map(\.path.exactDescription) == missing,
            "seed \(seed)"
        )
    }

    @Test("a path leads where following its steps one by one leads", arguments: 0..<200 as Range<UInt64>)
    func paths(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let json = random.json(depth: 4)
        let steps = (0...random.next(below: 3))
            .map { _ -> JsonPath.Component in
                random.flag() ? .index(random.next(below: 3)) : .key(random.pick(["a", "b.c", "d\"e", "0", "z"]))
            }
        let path = JsonPath(steps).description
        var expected: Json? = json
        for step in steps {
            switch step {
            case .key(let key), .entry(let key): expected = expected?[key]
            case .index(let index): expected = expected?[index]
            }
        }
        #expect((try? json.decode(path: path) as Json) == expected, "seed \(seed): \(path)")
        let present: Json? = try? json.decodeIfPresent(path: path)
        #expect(present == expected.flatMap { $0.isNull ? Json?.none : $0 }, "seed \(seed): \(path)")
    }

    @Test(
        "of several names the first with a value counts, whatever the others hold",
        arguments: 0..<200 as Range<UInt64>
    )
    func alternatives(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let names = ["a", "b", "c"]
        let members = names.filter { _ in random.flag() }
            .map { (key: $0, value: random.flag() ? Json.null : Json(random.next(below: 2))) }
        let json = Json(members: members)
        let first = members.first { !$0.value.isNull }
        let mapped = mapping { try json.decodeIfPresent(anyOf: "a", "b", "c") as Int? }
        #expect(mapped.value == .some(first?.value.int), "seed \(seed)")
        let differing = members.filter { !$0.value.isNull && $0.value != first?.value }
        #expect(mapped.lines == differing.map { "warning key clash $.\($0.key)" }, "seed \(seed)")
    }

    @Test("exactly the keys that are not read are reported, wherever they are", arguments: 0..<50 as Range<UInt64>)
    func unknownKeys(seed: UInt64) throws {
        struct Inner: Codable { var n: Int? }
        struct Outer: Codable, RawDecodable {
            var list: [Inner]
            var byName: [String: Inner]
        }
        var random = SplitMix64(seed: seed)
        var expected: [String] = []
        func inner(at path: String) -> Json {
            var members: [(key: String, value: Json)] = random.flag() ? [("n", 1)] : []
            if random.flag() {
                members.insert(("odd", random.json(depth: 2)), at: 0)
                expected.append("warning unknown key \(path).odd")
            }
            return Json(members: members)
        }
        let list = (0..<random.next(below: 4)).map { inner(at: "$.list[\($0)]") }
        let byName = Json(members: [(key: "x", value: inner(at: "$.byName.x"))])
        let json = Json(members: [(key: "list", value: Json(list)), (key: "byName", value: byName)])
        var policy = MappingPolicy()
        policy.unknownKeys = .report
        #expect(mapping(policy) { try Outer.from(raw: json) }.lines == expected, "seed \(seed)")
    }
}
