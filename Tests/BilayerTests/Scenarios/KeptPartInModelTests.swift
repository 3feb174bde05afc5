import Bilayer
import BilayerTesting
import Foundation
import Testing

private struct PointEntry: Codable, RawMappable, Sendable { let lastSeen: Int }

/// An entry that keeps a part as JSON for its model.
private struct EventEntry: Codable, RawMappable, Sendable {
    let id: Int
    let payload: Json
}

private struct PageEntry: Codable, RawMappable, Sendable { let items: [EventEntry] }

private struct Event: DTODecodable, Sendable {
    static func from(dto: EventEntry) throws -> Event {
        _ = try PointEntry.from(raw: dto.payload)
        return Event()
    }
}

private struct EventByHand: DTODecodable, Sendable {
    static func from(dto: EventEntry) throws -> EventByHand {
        let _: Int = try dto.payload.decode("last_seen")
        return EventByHand()
    }
}

private struct ListEvent: DTODecodable, Sendable {
    static func from(dto: EventEntry) throws -> ListEvent {
        _ = try [PointEntry].from(raw: dto.payload)
        return ListEvent()
    }
}

private struct Page: DTODecodable, Sendable {
    static func from(dto: PageEntry) throws -> Page {
        _ = try [Event].from(dto: dto.items, at: "items")
        return Page()
    }
}

@Suite("In a call, a part that is kept as JSON has its path from the root, also if the model reads it")
struct KeptPartInModelTests {
    private static let good = #"{"id":1,"payload":{"last_seen":1}}"#
    private static let bad = #"{"id":2,"payload":{"last_seen":"q"}}"#
    private static let list = #"{"id":3,"payload":[{"last_seen":1},{"last_seen":"q"}]}"#

    /// Returns the path of the fault, as the call's error and its report have it.
    private func paths<Model: Sendable>(
        of route: Route<Model>,
        _ text: String,
        _ policy: MappingPolicy,
        hasReporter: Bool
    ) async throws -> Set<String> {
        let stub = StubTransport()
        let collected = CollectingReporter()
        stub.on(.get, "/events", .json(text))
        var client = Client.snakeCased(stub, reporter: collected)
        if !hasReporter { client.reporter = nil }
        let error = await #expect(throws: CallError.self) { try await client.fetch(route, mapping: policy) }
        return Set(((error?.issues ?? []) + collected.issues).map(\.path.exactDescription))
    }

    private func expect<Model: Sendable>(
        _ path: String,
        of type: Model.Type,
        in text: String,
        at part: String? = nil,
        _ route: Route<Model>
    ) async throws {
        let route = part.map(route.at) ?? route
        for policy in [MappingPolicy.standard, .strict, .collectingAll()] {
            for hasReporter in [true, false] {
                let found = try await paths(of: route, text, policy, hasReporter: hasReporter)
                #expect(found == [path], "\(Model.self)")
            }
        }
    }

    @Test func ofOneModel() async throws {
        try await expect("$.payload.last_seen", of: Event.self, in: Self.bad, .get("events"))
        try await expect("$.payload.last_seen", of: EventByHand.self, in: Self.bad, .get("events"))
        try await expect("$.payload[1].last_seen", of: ListEvent.self, in: Self.list, .get("events"))
    }

    @Test func ofModelsInLists() async throws {
        let text = "[\(Self.good),\(Self.bad)]"
        try await expect("$[1].payload.last_seen", of: [Event].self, in: text, .get("events"))
        try await expect("$[1].payload.last_seen", of: [EventByHand].self, in: text, .get("events"))
        try await expect("$[0].payload[1].last_seen", of: [ListEvent].self, in: "[\(Self.list)]", .get("events"))
        let page = "{\"items\":\(text)}"
        try await expect("$.items[1].payload.last_seen", of: Page.self, in: page, .get("events"))
        let whole = "{\"data\":\(page)}"
        try await expect("$.data.items[1].payload.last_seen", of: Page.self, in: whole, at: "data", .get("events"))
    }

    @Test("of an element that is left out: in the causes, with the server's index")
    func salvaged() async throws {
        let stub = StubTransport()
        let collected = CollectingReporter()
        stub.on(.get, "/events", .json("[7,\(Self.good),\(Self.bad)]"))
        let client = Client.snakeCased(stub, reporter: collected)
        let events = try await client.fetch(Route<[Event]>.get("events"), mapping: .salvaging)
        #expect(events.count == 1)
        #expect(collected.issues.map(\.path.exactDescription) == ["$[0]", "$[2]"])
        #expect(collected.issues.last?.causes.map(\.path.exactDescription) == ["$[2].payload.last_seen"])
    }

    @Test("but a text inside of the JSON has no path of its own in it")
    func innerText() async throws {
        struct TextEntry: Codable, RawMappable, Sendable { let text: String }
        struct Text: DTODecodable, Sendable {
            static func from(dto: TextEntry) throws -> Text {
                let list = try Json(parsing: dto.text)
                _ = try PointEntry.from(raw: list[0] ?? .null)
                return Text()
            }
        }
        let text = #"[{"text":"[{\"last_seen\":1}]"},{"text":"[{\"last_seen\":\"q\"}]"}]"#
        let found = try await paths(of: Route<[Text]>.get("events"), text, .standard, hasReporter: true)
        #expect(found == ["$[1].last_seen"])
    }
}
