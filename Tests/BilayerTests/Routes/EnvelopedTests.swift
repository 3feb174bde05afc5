import Bilayer
import BilayerTesting
import Foundation
import Testing

private struct BugEntry: Codable, RawMappable, Sendable {
    let bugTitle: String?
    let number: Int
}

private struct Bug: DTODecodable, Sendable, Equatable {
    let title: String
    static func from(dto: BugEntry) throws -> Bug { Bug(title: try dto.bugTitle.require("bugTitle")) }
}

private struct FoundInfo: Codable, RawMappable, Sendable, Equatable {
    let totalCount: Int
}

private struct CheckedInfo: Codable, RawMappable, ChecksUnknownKeys, Sendable, Equatable {
    static let unknownKeys = MappingPolicy.UnknownKeys.fail
    let totalCount: Int
}

@Suite("A response and the envelope around it")
struct EnvelopedTests {
    private let stub = StubTransport()
    private let collected = CollectingReporter()

    private func bugs(
        _ text: String,
        _ policy: MappingPolicy = .standard
    ) async throws -> Enveloped<[Bug], FoundInfo> {
        var client = Client(baseURL: URL("https://example.com"), transport: stub)
        client.conventions.keys = .snakeCase
        client.reporter = collected
        stub.on(.get, "/bugs", .json(text))
        let route = Route<[Bug]>.get("bugs").adding(model: AnyNode { bugs, _ in bugs.reversed() })
        return try await client.fetch(route.at("result.items", in: FoundInfo.self), mapping: policy)
    }

    @Test("both are read, and the nodes of the route stay")
    func reads() async throws {
        let found = try await bugs(
            #"{"total_count":7,"result":{"items":[{"bug_title":"a","number":1},{"bug_title":"b","number":2}]}}"#
        )
        #expect(found == Enveloped([Bug(title: "b"), Bug(title: "a")], in: FoundInfo(totalCount: 7)))
    }

    @Test("one layer has an envelope, too")
    func oneLayer() async throws {
        stub.on(.get, "/numbers", .json(#"{"totalCount":2,"numbers":[1,2]}"#))
        let client = Client(baseURL: URL("https://example.com"), transport: stub)
        let found = try await client.fetch(Route<[Int]>.get("numbers").at("numbers", in: FoundInfo.self))
        #expect(found == Enveloped([1, 2], in: FoundInfo(totalCount: 2)))
    }

    @Test(
        "errors of both have whole paths",
        arguments: [
            (#"{"result":{"items":[]}}"#, ["$.total_count"]),
            (#"{"total_count":1,"result":{"items":[{"number":1}]}}"#, ["$.result.items[0].bug_title"]),
            (#"{"total_count":1}"#, ["$.result"]),
            (#"{"total_count":"1","result":{"items":[7]}}"#, ["$.total_count"]),
        ]
    )
    func errors(text: String, paths: [String]) async throws {
        let error = await #expect(throws: CallError.self) { try await bugs(text) }
        #expect(error?.issues.map(\.path.description) == paths)
    }

    @Test("collecting finds the errors of both")
    func collects() async throws {
        let error = await #expect(throws: CallError.self) {
            try await bugs(#"{"total_count":"1","result":{"items":[7,{"number":"x"}]}}"#, .collectingAll())
        }
        #expect(
            error?.issues.map(\.path.description) == [
                "$.total_count", "$.result.items[0]", "$.result.items[1].number",
            ]
        )
    }

    @Test("salvaging leaves out elements only")
    func salvages() async throws {
        let found = try await bugs(
            #"{"total_count":7,"result":{"items":[7,{"bug_title":"a","number":1},{"number":2}]}}"#,
            .salvaging
        )
        #expect(found.value == [Bug(title: "a")])
        #expect(collected.issues.map(\.path.description) == ["$.result.items[0]", "$.result.items[2]"])
    }

    @Test("strict testing accepts the keys of the path", arguments: ["numbers", "data.numbers", "data.list.numbers"])
    func strict(path: String) async throws {
        let keys = path.split(separator: ".")
        let value = keys.reversed().reduce("[1,2]") { "{\"\($1)\":\($0)}" }
        stub.on(.get, "/numbers", .json(#"{"totalCount":2,"# + value.dropFirst()))
        let client = Client(baseURL: URL("https://example.com"), transport: stub)
        let route = Route<[Int]>.get("numbers").at(path, in: FoundInfo.self)
        #expect(try await client.fetch(route, mapping: .strict) == Enveloped([1, 2], in: FoundInfo(totalCount: 2)))
    }

    @Test(
        "an envelope that refuses unknown keys accepts the keys of the path alone",
        arguments: ["numbers", "data.numbers"]
    )
    func ownRule(path: String) async throws {
        let value = path.split(separator: ".").reversed().reduce("[1,2]") { "{\"\($1)\":\($0)}" }
        let client = Client(baseURL: URL("https://example.com"), transport: stub)
        let route = Route<[Int]>.get("numbers").at(path, in: CheckedInfo.self)
        stub.on(.get, "/numbers", .json(#"{"totalCount":2,"# + value.dropFirst()))
        #expect(try await client.fetch(route) == Enveloped([1, 2], in: CheckedInfo(totalCount: 2)))
        stub.on(.get, "/numbers", .json(#"{"totalCount":2,"page":1,"# + value.dropFirst()))
        let error = await #expect(throws: CallError.self) { try await client.fetch(route) }
        #expect(error?.issues.map(\.path.description) == ["$.page"])
    }

    @Test("strict testing accepts the indices of the path, and what is beside them is unknown")
    func strictIndices() async throws {
        let client = Client(baseURL: URL("https://example.com"), transport: stub)
        let route = Route<[Int]>.get("numbers").at("lists[0].numbers", in: FoundInfo.self)
        for (lists, isKnown) in [(#"[{"numbers":[1,2]}]"#, true), (#"[{"numbers":[1,2]},{"numbers":[3]}]"#, false)] {
            stub.on(.get, "/numbers", .json(#"{"totalCount":2,"lists":\#(lists)}"#))
            if isKnown {
                let found = try await client.fetch(route, mapping: .strict)
                #expect(found == Enveloped([1, 2], in: FoundInfo(totalCount: 2)))
            } else {
                let error = await #expect(throws: CallError.self) { try await client.fetch(route, mapping: .strict) }
                #expect(error?.issues.map(\.path.description) == ["$.lists"])
            }
        }
    }

    @Test("the value is no unknown key of the envelope; others are")
    func unknownKeys() async throws {
        var policy = MappingPolicy.standard
        policy.unknownKeys = .report
        _ = try await bugs(
            #"{"total_count":7,"more":1,"result":{"items":[{"bug_title":"a","number":1,"x":1}],"next":2}}"#,
            policy
        )
        #expect(
            collected.issues.map { "\($0.kind) \($0.path)" } == [
                "unknown key $.more", "unknown key $.result", "unknown key $.result.items[0].x",
            ]
        )
    }
}
