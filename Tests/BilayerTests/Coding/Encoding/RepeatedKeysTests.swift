import Bilayer
import Foundation
import Testing

private class IdentifiedBase: Encodable {
    enum Key: CodingKey { case id }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(1, forKey: .id)
    }
}

private final class RepeatedPayment: IdentifiedBase {
    enum Key: CodingKey { case id, payload }
    let payload: Json

    init(_ payload: Json) { self.payload = payload }

    override func encode(to encoder: any Encoder) throws {
        try super.encode(to: encoder)
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(2, forKey: .id)
        try container.encode(payload, forKey: .payload)
    }
}

/// An object whose members a closure writes.
private struct WrittenMembers: Encodable, RawEncodable {
    enum Key: String, CodingKey { case id, userURL, userUrl, payload, items }
    typealias Container = KeyedEncodingContainer<Key>
    let write: (inout Container) throws -> Void

    init(_ write: @escaping (inout Container) throws -> Void) { self.write = write }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try write(&container)
    }
}

private struct HandWrittenPair: JsonWritable, Encodable {
    func write(to json: inout JsonWriter) throws {
        try json.writeObject { object in
            try object.write(1, forKey: "k")
            try object.write(2, forKey: "k")
        }
    }

    func encode(to encoder: any Encoder) throws { try toRaw().encode(to: encoder) }
}

private struct UnwritableMember: Encodable {
    struct Failure: Error {}
    func encode(to encoder: any Encoder) throws { throw Failure() }
}

@Suite("Keys that are written twice into one object", .smallStack)
struct RepeatedKeysTests {
    private static let payload = #"{"amount":10,"amount":9999,"inner":[{"x":1.0,"x":1E2}]}"#
    private let payload: Json

    init() throws { payload = try Json(parsing: Self.payload) }

    private func text(_ value: some Encodable) throws -> String {
        String(decoding: try JsonEncoder().encode(value), as: UTF8.self)
    }

    @Test("the last member counts, and stored JSON with repeated keys stays as it is")
    func besideStoredJson() throws {
        #expect(try text(RepeatedPayment(payload)) == #"{"id":2,"payload":\#(Self.payload)}"#)
        let list = [RepeatedPayment(payload), RepeatedPayment(["amount": 1])]
        #expect(
            try text(list) == #"[{"id":2,"payload":\#(Self.payload)},{"id":2,"payload":{"amount":1}}]"#
        )
        #expect(try Json(parsing: JsonEncoder().encode(RepeatedPayment(payload)))["payload"]?["amount"] == 10)
    }

    @Test("what was written by hand stays as it is")
    func besideTextByHand() throws {
        let value = WrittenMembers { container in
            try container.encode(1, forKey: .id)
            try container.encode([HandWrittenPair()], forKey: .items)
            try container.encode(2, forKey: .id)
        }
        #expect(try text(value) == #"{"items":[{"k":1,"k":2}],"id":2}"#)
    }

    @Test("a second member that fails and is caught changes nothing")
    func secondFails() throws {
        let value = WrittenMembers { [payload] container in
            try container.encode(1, forKey: .id)
            try? container.encode(UnwritableMember(), forKey: .id)
            try container.encode(payload, forKey: .payload)
        }
        #expect(try text(value) == #"{"id":1,"payload":\#(Self.payload)}"#)
    }

    @Test("members that are written in any order, and members of members that do not count")
    func inParts() throws {
        let value = WrittenMembers { [payload] container in
            var nested = container.nestedContainer(keyedBy: WrittenMembers.Key.self, forKey: .items)
            try container.encode(1, forKey: .id)
            try nested.encode(1, forKey: .id)
            try nested.encode(payload, forKey: .payload)
            try container.encode(RepeatedPayment(["amount": 1]), forKey: .payload)
            try nested.encode(2, forKey: .id)
            try container.encode(2, forKey: .id)
            try container.encode(RepeatedPayment(payload), forKey: .payload)
        }
        #expect(
            try text(value)
                == #"{"items":{"payload":\#(Self.payload),"id":2},"id":2,"payload":{"id":2,"payload":\#(Self.payload)}}"#
        )
    }

    // MARK: - Properties with one key

    private var snakeCase: CodingConventions {
        var conventions = CodingConventions()
        conventions.keys = .snakeCase
        return conventions
    }

    private static let policies: [MappingPolicy] = [.standard, .strict]

    @Test("a member that fails and is caught is no clash", arguments: policies)
    func noClash(policy: MappingPolicy) {
        let second = mapping(policy, snakeCase) {
            try WrittenMembers { container in
                try container.encode(1, forKey: .userURL)
                try? container.encode(UnwritableMember(), forKey: .userUrl)
            }
            .toRaw()
        }
        #expect(second.value == ["user_url": 1])
        #expect(second.lines == [])
        let inside = mapping(policy, snakeCase) {
            try WrittenMembers { container in
                try container.encode(1, forKey: .id)
                try? container.encode(
                    WrittenMembers { inner in
                        try inner.encode(1, forKey: .userURL)
                        try inner.encode(2, forKey: .userUrl)
                        throw UnwritableMember.Failure()
                    },
                    forKey: .items
                )
            }
            .toRaw()
        }
        #expect(inside.value == ["id": 1])
        #expect(inside.lines == [])
    }

    @Test("a member that is written again after a caught failure is a clash")
    func clashAfterFailure() {
        let written = mapping(.standard, snakeCase) {
            try WrittenMembers { container in
                try container.encode(1, forKey: .userURL)
                try? container.encode(UnwritableMember(), forKey: .userUrl)
                try container.encode(2, forKey: .userUrl)
            }
            .toRaw()
        }
        #expect(written.value == ["user_url": 2])
        #expect(written.lines == ["warning key clash $.user_url"])
    }
}
