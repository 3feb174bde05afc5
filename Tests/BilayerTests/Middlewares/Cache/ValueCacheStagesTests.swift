import Bilayer
import BilayerTesting
import Foundation
import Testing

/// Each test stores the result of one stage, or of several together. These stages run only for a new input, the other
/// stages for every call.
@Suite("Value cache: after each stage")
struct ValueCacheStagesTests {
    private struct ItemEntry: Codable, RawMappable, Hashable { let name: String }

    private struct Item: Sendable, Hashable, DTODecodable {
        let name: String
        static func from(dto: ItemEntry) throws -> Item {
            Item(name: try dto.name.isEmpty ? String?.none.require("name") : dto.name)
        }
    }

    /// How often each step has run.
    private actor Counts {
        private(set) var all: [String: Int] = [:]
        func add(_ name: String) { all[name, default: 0] += 1 }
        func taken() -> [String: Int] {
            defer { all = [:] }
            return all
        }
    }

    private let counts = Counts()

    private func counting<Step: Node>(_ name: String, _ step: Step) -> AnyNode<Step.Input, Step.Output>
    where Step.Input: Sendable, Step.Output: Sendable {
        AnyNode { [counts] input, context in
            await counts.add(name)
            return try await step.process(input, in: context)
        }
    }

    private var parse: AnyNode<HTTPResponse, Json> { counting("parse", ParseJson()) }
    private var map: AnyNode<Json, ItemEntry> { counting("map", MapRaw<ItemEntry>()) }
    private var convert: AnyNode<ItemEntry, Item> { counting("convert", ConvertDTO<Item>()) }

    /// A client whose server answers with the bodies in order, and repeats the last one.
    private func client(_ bodies: [String]) -> Client {
        let bodies = Bodies(bodies)
        let stub = StubTransport { _, _ in
            HTTPResponse(
                status: 200,
                headers: [.contentType: "application/json", .date: UUID().uuidString],
                body: Data(await bodies.next().utf8)
            )
        }
        return Client(baseURL: URL("https://api.example.com"), transport: stub)
    }

    private actor Bodies {
        private var rest: [String]
        init(_ bodies: [String]) { rest = bodies }
        func next() -> String { rest.count > 1 ? rest.removeFirst() : rest[0] }
    }

    private func pipeline(_ bodies: [String]) -> CallPipeline<ItemEntry, Item> {
        client(bodies).pipeline(for: Route<Item>.get("item"))
    }

    private let ada = #"{"name":"Ada"}"#
    /// Another text and another JSON value than `ada`, with an equal entry.
    private let spacedAda = #"{ "name" : "Ada", "more": 1 }"#

    @Test func bytesToRaw() async throws {
        let cache = ValueCache<HTTPResponse, HTTPResponse, Json>(by: \.content)
        let pipeline = pipeline([ada, ada, spacedAda])
            .replacing(rawMapping: parse.wrapped(by: cache).then(map), dtoConversion: convert)
        for expected in [
            ["parse": 1, "map": 1, "convert": 1], ["map": 1, "convert": 1], ["parse": 1, "map": 1, "convert": 1],
        ] {
            #expect(try await pipeline.process() == Item(name: "Ada"))
            #expect(await counts.taken() == expected)
        }
    }

    @Test func rawToEntry() async throws {
        let cache = ValueCache<Json, Json, ItemEntry> { $0 }
        let pipeline = pipeline([ada, #"{"name": "Ada"}"#, spacedAda])
            .replacing(rawMapping: parse.then(map.wrapped(by: cache)), dtoConversion: convert)
        for expected in [
            ["parse": 1, "map": 1, "convert": 1], ["parse": 1, "convert": 1], ["parse": 1, "map": 1, "convert": 1],
        ] {
            #expect(try await pipeline.process() == Item(name: "Ada"))
            #expect(await counts.taken() == expected)
        }
    }

    @Test func entryToModel() async throws {
        let cache = ValueCache<ItemEntry, ItemEntry, Item> { $0 }
        let pipeline = pipeline([ada, spacedAda, #"{"name":"Bob"}"#])
            .replacing(rawMapping: parse.then(map), dtoConversion: convert.wrapped(by: cache))
        let steps = ["parse": 1, "map": 1]
        for (name, isNew) in [("Ada", true), ("Ada", false), ("Bob", true), ("Bob", false)] {
            #expect(try await pipeline.process() == Item(name: name))
            #expect(await counts.taken() == (isNew ? steps.merging(["convert": 1]) { $1 } : steps))
        }
    }

    @Test func bytesToEntry() async throws {
        let cache = ValueCache<HTTPResponse, HTTPResponse, ItemEntry>(by: \.content)
        let pipeline = pipeline([ada])
            .replacing(rawMapping: parse.then(map).wrapped(by: cache), dtoConversion: convert)
        for expected in [["parse": 1, "map": 1, "convert": 1], ["convert": 1]] {
            #expect(try await pipeline.process() == Item(name: "Ada"))
            #expect(await counts.taken() == expected)
        }
    }

    @Test func bytesToModel() async throws {
        let cache = ValueCache<HTTPResponse, HTTPResponse, Item>(by: \.content)
        let all = parse.then(map).then(convert).wrapped(by: cache)
        let response = HTTPResponse(status: 200, body: Data(ada.utf8))
        for expected in [["parse": 1, "map": 1, "convert": 1], [:]] {
            #expect(try await all.process(response, in: CallContext()) == Item(name: "Ada"))
            #expect(await counts.taken() == expected)
        }
    }

    /// If the step after a cached one fails, the call fails again the next time. The result of a failed step is not
    /// cached.
    @Test func errorsAreStoredAfterNoStage() async throws {
        let raw = ValueCache<HTTPResponse, HTTPResponse, Json>(by: \.content)
        let entry = ValueCache<Json, Json, ItemEntry> { $0 }
        let model = ValueCache<ItemEntry, ItemEntry, Item> { $0 }
        for (body, expected) in [
            ("[", ["parse": 1]), ("{}", ["map": 1]), (#"{"name":""}"#, ["convert": 1]),
        ] {
            let pipeline = pipeline([body])
                .replacing(
                    rawMapping: parse.wrapped(by: raw).then(map.wrapped(by: entry)),
                    dtoConversion: convert.wrapped(by: model)
                )
            for round in 0..<3 {
                await #expect(throws: CallError.self) { try await pipeline.process() }
                let found = await counts.taken()
                if round > 0 { #expect(found == expected, "\(body)") }
            }
        }
    }
}
