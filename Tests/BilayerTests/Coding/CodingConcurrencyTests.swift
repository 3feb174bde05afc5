import Foundation
import Testing

@testable import Bilayer

/// Many tasks decode and encode at once, also types that no task has used before.
@Suite(.smallStack) struct CodingConcurrencyTests {
    /// One type for each round, so that tasks race for its first use.
    private struct Fresh<Tag>: Codable, Equatable {
        var id: Int
        var text: String
        var list: [Plain.Child]
        var table: [String: Int]
    }

    private func race<Tag>(_ type: Tag.Type) async throws {
        let text = #"{"id":1,"text":"t","list":[{"name":"n","tags":["a",null]}],"table":{"k":2}}"#
        let expected = Fresh<Tag>(
            id: 1,
            text: "t",
            list: [Plain.Child(name: "n", tags: ["a", nil])],
            table: ["k": 2]
        )
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<24 {
                group.addTask {
                    let value = try JsonDecoder().decode(Fresh<Tag>.self, from: Data(text.utf8))
                    return try value == expected && JsonEncoder().encode(value) == Data(text.utf8)
                }
            }
            for try await isRight in group { #expect(isRight) }
        }
    }

    @Test func firstUseOfATypeIsRaced() async throws {
        for _ in 0..<8 {
            try await race(Int.self)
            try await race(String.self)
            try await race([Int].self)
            try await race([String].self)
            try await race([[Int]].self)
            try await race(Set<String>.self)
        }
    }

    @Test func tasksShareOneDocument() async throws {
        let json = try Json(parsing: #"{"a":{"name":"n","tags":["x"]},"b":[1,2,3],"c":{"id":1,"list":[1]}}"#)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for round in 0..<400 {
                group.addTask {
                    if round.isMultiple(of: 2) {
                        return try json["b"]?.decode([Int].self) == [1, 2, 3]
                    }
                    return try json.decode([String: Json].self)["a"]?.decode(Plain.Child.self).name == "n"
                }
            }
            for try await isRight in group { #expect(isRight) }
        }
    }

    @Test func aCallInsideACallHasItsOwnSession() throws {
        struct Inner: Decodable, Equatable {
            let value: Plain.Child

            init(from decoder: any Decoder) throws {
                let text = try decoder.singleValueContainer().decode(String.self)
                value = try JsonDecoder().decode(Plain.Child.self, from: Data(text.utf8))
            }
        }
        let text = #"[{"k":"{\"name\":\"n\",\"tags\":[]}"},{"k":"{\"name\":\"m\",\"tags\":[]}"}]"#
        let values = try JsonDecoder().decode([[String: Inner]].self, from: Data(text.utf8))
        #expect(values.compactMap { $0["k"]?.value.name } == ["n", "m"])
    }
}
