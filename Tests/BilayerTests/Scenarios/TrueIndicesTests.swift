import Bilayer
import BilayerTesting
import Foundation
import Testing

private struct LineEntry: Codable, RawMappable, Sendable {
    let sku: String
    let price: Int?
}

private struct OrderEntry: Codable, RawMappable, Sendable {
    let shippedLines: [LineEntry]
    @Lossy var tags: [String]
}

private struct Line: DTODecodable, Sendable {
    let sku: String
    let price: Int
    static func from(dto: LineEntry) throws -> Line { Line(sku: dto.sku, price: try dto.price.require("price")) }
}

private struct Tag: DTODecodable, Sendable {
    static func from(dto: String) throws -> Tag {
        try require(that: dto != "bad", "a tag is good")
        return Tag()
    }
}

private struct Order: DTODecodable, Sendable {
    let lines: [Line]
    let tags: [Tag]
    static func from(dto: OrderEntry) throws -> Order {
        try Order(lines: .from(dto: dto.shippedLines, at: "shippedLines"), tags: .from(dto: dto.tags, at: "tags"))
    }
}

/// Elements that the first layer leaves out must not shift the indices that the second layer reports.
@Suite("The server's indices in both layers")
struct TrueIndicesTests {
    private let collected = CollectingReporter()

    private func orders(_ text: String, _ policy: MappingPolicy) async throws -> [Order] {
        let stub = StubTransport()
        stub.on(.get, "/orders", .json(text))
        let client = Client.snakeCased(stub, reporter: collected)
        return try await client.fetch(Route<[Order]>.get("orders"), mapping: policy)
    }

    private static let good = #"{"shipped_lines":[{"sku":"a","price":1}],"tags":["a"]}"#

    @Test("elements that the first layer left out are counted, at every depth")
    func salvaged() async throws {
        let bad = #"{"shipped_lines":[{"sku":1},{"sku":"a","price":1},{"sku":1},{"sku":"b"}],"tags":[1,"a",2,"bad"]}"#
        let orders = try await orders("[{},\(Self.good),7,\(bad)]", .salvaging)
        #expect(orders.map(\.lines.count) == [1, 1] && orders.map(\.tags.count) == [1, 1])
        #expect(
            collected.issues.map(\.path.description).sorted() == [
                "$[0]", "$[2]", "$[3].shipped_lines[0]", "$[3].shipped_lines[2]", "$[3].shipped_lines[3]",
                "$[3].tags[0]", "$[3].tags[2]", "$[3].tags[3]",
            ]
        )
        #expect(
            collected.issues.flatMap(\.causes).map(\.path.description).contains("$[3].shipped_lines[3].price")
        )
    }

    @Test("an error of the second layer has the server's index, and shows the server's value")
    func thrown() async throws {
        let text = #"[\#(Self.good),{"shipped_lines":[{"sku":"a","price":1}],"tags":[1,2,"a","bad"]}]"#
        let error = await #expect(throws: CallError.self) { try await orders(text, .standard) }
        let mapping = try #require(error?.underlyingError as? MappingError)
        #expect(mapping.path.description == "$[1].tags[3]")
        let shown = try #require(collected.reports.first).showing(.all)
        #expect(shown.issues.first?.shownValue == #""bad""#)
    }

    @Test("more elements than the report keeps are counted")
    func limited() async throws {
        let lost = Array(repeating: "1", count: 300).joined(separator: ",")
        let text = #"[{"shipped_lines":[\#(lost),{"sku":"a"}],"tags":[\#(lost),"bad"]}]"#
        var policy = MappingPolicy.standard
        policy.issueLimit = 2
        let json = #"[{"shipped_lines":[{"sku":"a","price":1}],"tags":[\#(lost),"bad"]}]"#
        var error = await #expect(throws: CallError.self) { try await orders(json, policy) }
        #expect((error?.underlyingError as? MappingError)?.path.description == "$[0].tags[300]")
        policy = .salvaging
        policy.issueLimit = 2
        error = await #expect(throws: CallError.self) { try await orders(text, policy) }
        let causes = (error?.underlyingError as? MappingError)?.issues.first?.causes.flatMap(\.causes) ?? []
        #expect(causes.map(\.path.description).contains("$[0].shipped_lines[300].price"))
    }

    @Test("another list that the app maps in the call has its own indices")
    func unrelated() async throws {
        let stub = StubTransport()
        stub.on(.get, "/orders", .json("[7,\(Self.good)]"))
        let client = Client.snakeCased(stub, reporter: collected)
        let route = Route<[Order]>.get("orders")
            .adding(
                model: AnyNode { orders, context in
                    _ = try context.mapping { try [Line].from(dto: [LineEntry(sku: "a", price: nil)]) }
                    return orders
                }
            )
        _ = try? await client.fetch(route, mapping: .salvaging)
        let paths = collected.issues.flatMap { $0.causes.isEmpty ? [$0] : $0.causes }.flatMap { $0.causes + [$0] }
            .map(\.path.description)
        #expect(paths.contains("$[0].price") && !paths.contains("$[1].price"))
    }

    @Test("an array that is read twice has lost its elements once")
    func readTwice() async throws {
        struct TwiceEntry: RawDecodable, Sendable {
            let lines: [LineEntry]
            static func from(raw: Json) throws -> TwiceEntry {
                _ = try raw.decode("lines") as [LineEntry]
                return TwiceEntry(lines: try raw.decode("lines"))
            }
        }
        struct Twice: DTODecodable, Sendable {
            static func from(dto: TwiceEntry) throws -> Twice {
                _ = try [Line].from(dto: dto.lines, at: "lines")
                return Twice()
            }
        }
        let stub = StubTransport()
        stub.on(.get, "/twice", .json(#"{"lines":[7,{"sku":"a","price":1},{"sku":"b"}]}"#))
        var client = Client(baseURL: URL("https://example.com"), transport: stub)
        client.reporter = collected
        _ = try await client.fetch(Route<Twice>.get("twice"), mapping: .salvaging)
        #expect(collected.issues.map(\.path.description).last == "$.lines[2]")
    }

    /// A part of an entry that is kept as JSON, and read later.
    private struct PartEntry: Codable, RawMappable, Sendable { @Lossy var levels: [Int] }

    private struct KeepingEntry: Codable, RawMappable, Sendable {
        let part: PartEntry
        let levels: [Int]

        enum CodingKeys: CodingKey { case part, levels }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            part = try PartEntry.from(raw: container.decode(Json.self, forKey: .part))
            levels = try container.decode(Lossy<[Int]>.self, forKey: .levels).wrappedValue
        }
    }

    private struct KeepingByHand: RawDecodable, Sendable {
        let part: PartEntry
        let levels: [Int]

        static func from(raw: Json) throws -> KeepingByHand {
            let part: Json = try raw.decode("part")
            return try KeepingByHand(part: .from(raw: part), levels: raw.decodeLossy("levels"))
        }
    }

    private struct Level: DTODecodable, Sendable {
        static func from(dto: Int) throws -> Level {
            try require(that: dto >= 0, "a level is positive")
            return Level()
        }
    }

    private struct Part: DTODecodable, Sendable {
        static func from(dto: PartEntry) throws -> Part {
            _ = try [Level].from(dto: dto.levels, at: "levels")
            return Part()
        }
    }

    private struct Kept: DTODecodable, Sendable {
        static func from(dto: KeepingEntry) throws -> Kept {
            _ = try [Level].from(dto: dto.levels, at: "levels")
            _ = try Part.from(dto: dto.part, at: "part")
            return Kept()
        }
    }

    private struct KeptByHand: DTODecodable, Sendable {
        static func from(dto: KeepingByHand) throws -> KeptByHand {
            _ = try [Level].from(dto: dto.levels, at: "levels")
            _ = try Part.from(dto: dto.part, at: "part")
            return KeptByHand()
        }
    }

    private func path<Model: Sendable>(of route: Route<[Model]>, _ entry: String) async throws -> String? {
        let stub = StubTransport()
        stub.on(.get, "/kept", .json(#"[{"part":{"levels":[1]},"levels":[2]},\#(entry)]"#))
        var client = Client(baseURL: URL("https://example.com"), transport: stub)
        client.reporter = collected
        let error = await #expect(throws: CallError.self) { try await client.fetch(route) }
        return (error?.underlyingError as? MappingError)?.path.description
    }

    @Test("an array of a part that was kept as JSON and read later does not change the indices of another array")
    func kept() async throws {
        // The server's index in such a part is not known.
        let inside = #"{"part":{"levels":["x",1,"y",-1]},"levels":[3]}"#
        let beside = #"{"part":{"levels":["x",1,"y"]},"levels":[1,"z",2,-1]}"#
        for (entry, place) in [(inside, "$[1].part.levels[1]"), (beside, "$[1].levels[3]")] {
            let paths = [
                try await path(of: Route<[Kept]>.get("kept"), entry),
                try await path(of: Route<[KeptByHand]>.get("kept"), entry),
            ]
            #expect(paths == [place, place])
        }
    }

    private struct TextEntry: Codable, RawMappable, Sendable {
        let part: PartEntry
        let roomLevels: [Int]

        enum CodingKeys: CodingKey { case text, roomLevels }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            part = try PartEntry.from(raw: Json(parsing: container.decode(String.self, forKey: .text)))
            roomLevels = try container.decode(Lossy<[Int]>.self, forKey: .roomLevels).wrappedValue
        }

        func encode(to encoder: any Encoder) throws {}
    }

    private struct Rooms: DTODecodable, Sendable {
        static func from(dto: TextEntry) throws -> Rooms {
            _ = try [Level].from(dto: dto.roomLevels, at: "roomLevels")
            return Rooms()
        }
    }

    @Test("nor does an array of a text inside of the JSON")
    func keptText() async throws {
        let stub = StubTransport()
        stub.on(.get, "/rooms", .json(#"[{"text":"{\"levels\":[\"x\",1]}","room_levels":[3,"z",-1]}]"#))
        let client = Client.snakeCased(stub, reporter: collected)
        let error = await #expect(throws: CallError.self) { try await client.fetch(Route<[Rooms]>.get("rooms")) }
        #expect(error?.issues.map(\.path.description) == ["$[0].room_levels[2]"])
    }

    @Test("an array that was read of a value that then failed has lost nothing", arguments: [false, true])
    func readInAFailedValue(isInList: Bool) async throws {
        struct Lossy: Decodable {
            @Bilayer.Lossy var lines: [LineEntry]
            let total: Int
        }
        struct Plain: Decodable { let lines: [LineWithoutSku] }
        struct LineWithoutSku: Codable, RawMappable, Sendable { let price: Int? }
        struct EitherEntry: Decodable, RawDecodable, Sendable {
            let lines: [LineWithoutSku]
            init(from decoder: any Decoder) throws {
                let value = try decoder.singleValueContainer()
                if let lossy = try? value.decode(Lossy.self) {
                    lines = lossy.lines.map { LineWithoutSku(price: $0.price) }
                } else {
                    lines = try value.decode(Plain.self).lines
                }
            }
        }
        struct Priced: DTODecodable, Sendable {
            let price: Int
            static func from(dto: LineWithoutSku) throws -> Priced { Priced(price: try dto.price.require("price")) }
        }
        struct Prices: DTODecodable, Sendable {
            static func from(dto: EitherEntry) throws -> Prices {
                _ = try [Priced].from(dto: dto.lines, at: "lines")
                return Prices()
            }
        }
        let stub = StubTransport()
        // The line without a sku is left out of the first reading, which then misses the total.
        let order = #"{"lines":[{"price":1},{"sku":"a"}]}"#
        stub.on(.get, "/prices", .json(isInList ? "[\(order),\(order)]" : order))
        var client = Client(baseURL: URL("https://example.com"), transport: stub)
        client.reporter = collected
        let error = await #expect(throws: CallError.self) {
            if isInList {
                _ = try await client.fetch(Route<[Prices]>.get("prices"))
            } else {
                _ = try await client.fetch(Route<Prices>.get("prices"))
            }
        }
        let path = (error?.underlyingError as? MappingError)?.path.description
        #expect(path == (isInList ? "$[0].lines[1].price" : "$.lines[1].price"))
        #expect(collected.issues.map(\.path.description) == [path], "what the failed value reported does not count")
    }
}
