import Bilayer
import BilayerTesting
import Foundation
import Testing

@Suite("Entries by hand under a key naming")
struct KeysByHandTests {
    private struct UserByHand: RawDecodable, Sendable {
        let name: Int
        static func from(raw: Json) throws -> UserByHand {
            try UserByHand(name: raw.decode("userName"))
        }
    }

    private struct UserEntry: Codable, RawMappable { let userName: Int }

    private struct BoxByHand: RawDecodable, Sendable {
        let user: UserEntry
        static func from(raw: Json) throws -> BoxByHand { try BoxByHand(user: raw.decode("userBox")) }
    }

    private enum Shape: Discriminated, Sendable {
        case user(UserEntry)
        static let discriminator = Discriminator<Shape>
            .on(
                "theType",
                ["user": { .user(try .from(raw: $0)) }]
            )
    }

    private struct ListEntry: Decodable, RawDecodable, Sendable {
        let allShapes: [ShapeEntry]

        enum ShapeEntry: Discriminated, Decodable, Sendable {
            case user(UserEntry)
            static let discriminator = Discriminator<ShapeEntry>
                .on(
                    "theType",
                    ["user": { .user(try .from(raw: $0)) }]
                )
        }
    }

    private func errors<Entry: RawDecodable & Sendable>(
        _ type: Entry.Type,
        _ text: String
    )
        async throws -> [[String]]
    where Entry.Raw == Json {
        let stub = StubTransport(.json(text))
        let reporter = CollectingReporter()
        let client = Client.snakeCased(stub, reporter: reporter)
        await #expect(throws: CallError.self) { try await client.fetch(Route<Entry>.get("users")) }
        var conventions = CodingConventions()
        conventions.keys = .snakeCase
        let mapped = mapping(.standard, conventions) { try Entry.from(raw: Json.of(text)) }
        return [reporter.issues.map { "\($0.kind) \($0.path.exactDescription)" }, mapped.lines]
            .map { $0.map { $0.replacingOccurrences(of: "error ", with: "") } }
    }

    private func expect<Entry: RawDecodable & Sendable>(
        _ line: String,
        _ type: Entry.Type,
        _ text: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws where Entry.Raw == Json {
        let found = try await errors(type, text)
        #expect(found == [[line], [line]], sourceLocation: sourceLocation)
    }

    @Test func aMissingKeyIsTheOneThatWasRead() async throws {
        try await expect("missing $.userName", UserByHand.self, #"{"user_name":1}"#)
        try await expect("missing $[0].userName", [UserByHand].self, #"[{"user_name":1}]"#)
    }

    @Test func aBadValueIsAtTheKeyThatWasRead() async throws {
        try await expect("wrong type $.userName", UserByHand.self, #"{"userName":"bad","user_name":1}"#)
    }

    @Test("an entry inside names its own properties, and the key around it is left as it is")
    func inside() async throws {
        let text = #"{"userBox":{"user_name":"bad"},"user_box":1}"#
        try await expect("wrong type $.userBox.user_name", BoxByHand.self, text)
    }

    @Test("a tag is at its key, also inside of entries with a naming")
    func tags() async throws {
        try await expect(
            "unknown value $[0].theType",
            [Shape].self,
            #"[{"theType":"new","the_type":"user"}]"#
        )
        let text = #"{"all_shapes":[{"theType":"new","the_type":"user"}]}"#
        try await expect("unknown value $.all_shapes[0].theType", ListEntry.self, text)
    }

    @Test("further functions for reading by hand leave their keys as they are")
    func functions() throws {
        var conventions = CodingConventions()
        conventions.keys = .snakeCase
        let raw = try Json.of(#"{"user_name":1,"user_tags":[],"userInfo":{"first_name":1}}"#)
        let reads: [(String, () throws -> Void)] = [
            ("$.userName", { let _: Int = try raw.decode(anyOf: "userName", "loginName") }),
            ("$.userTags", { let _: [Int] = try raw.decodeLossy("userTags") }),
            ("$.userName", { _ = try raw.decode("userName", as: ValueFormat<Int>.lenient) }),
            ("$.userInfo.firstName", { let _: Int = try raw.decode(path: "userInfo.firstName") }),
            ("$.userName", { let _: Int = try raw.decode("userName", ifNull: 1) }),
        ]
        for (path, read) in reads {
            let mapped = mapping(.standard, conventions) {
                _ = try [String: Json].from(raw: raw)
                try read()
            }
            #expect(mapped.lines == ["error missing \(path)"])
        }
        let clash = mapping(.standard, conventions) {
            let raw = try [Json].from(raw: Json.of(#"[{"userName":1,"userId":2,"user_id":3}]"#))[0]
            return try raw.decode(anyOf: "userName", "userId") as Int
        }
        #expect(clash.lines == ["warning key clash $[0].userId"])
        let list = mapping(.standard, conventions) {
            try Json.of(#"{"userList":[1],"user_list":[2],"list":3}"#).decode(anyOf: "userList", "list")
                as [Int]
        }
        #expect(list.lines == ["warning key clash $.list"])
        let unknown = mapping(.standard, conventions) {
            try Json.of(#"{"userName":1,"user_name":2}"#).expectOnly("user_name", unknownKeys: .report)
        }
        #expect(unknown.lines == ["warning unknown key $.userName"])
    }
}
