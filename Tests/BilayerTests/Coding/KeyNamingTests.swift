import Bilayer
import Foundation
import Testing

@Suite("Key naming", .smallStack)
struct KeyNamingTests {
    @Test(
        "words are found where people see them",
        arguments: [
            ("name", "name"), ("firstName", "first_name"), ("userURL", "user_url"), ("imageURLs", "image_urls"),
            ("id3Tag", "id3_tag"), ("URLString", "url_string"), ("myURLProperty", "my_url_property"),
            ("userIDsOnly", "user_ids_only"),
            ("http2Server", "http2_server"), ("UTF8Text", "utf8_text"), ("_id", "_id"), ("__typename", "__typename"),
            ("_privateKey_", "_private_key_"), ("user_id", "user_id"), ("user_ID", "user_id"), ("HTTPSet", "http_set"),
            ("größeÄndern", "größe_ändern"), ("a", "a"), ("", ""), ("_", "_"), ("Content-Type", "Content-Type"),
            ("@id", "@id"),
        ]
    )
    func words(name: String, key: String) {
        #expect(KeyNaming.snakeCase.key(for: name) == key)
        #expect(KeyNaming.snakeCase.key(for: key) == key)
    }

    @Test("kebab case, and a naming of one's own")
    func others() {
        #expect(KeyNaming.kebabCase.key(for: "userURL") == "user-url")
        #expect(KeyNaming { $0.uppercased() }.key(for: "id") == "ID")
    }

    @Test("generated names of words, plurals, abbreviations and digits give their words")
    func generatedNames() {
        let words = ["user", "image", "tag", "id3", "ping2", "straße", "news"]
        let abbreviations = ["URL", "ID", "HTTP", "IDs", "URLs"]
        for seed in 0..<200 as Range<UInt64> {
            var random = SplitMix64(seed: seed)
            var parts = [words[random.next(below: words.count)]]
            for place in 0..<random.next(below: 4) {
                // No two abbreviations side by side: their border cannot be found.
                let list = place % 2 == 0 ? abbreviations : words
                parts.append(list[random.next(below: list.count)])
            }
            let name =
                (parts.first ?? "") + parts.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
            let underscores = String(repeating: "_", count: random.next(below: 3))
            let key = underscores + parts.joined(separator: "_").lowercased()
            #expect(KeyNaming.snakeCase.key(for: underscores + name) == key, "seed \(seed)")
            #expect(KeyNaming.snakeCase.key(for: key) == key, "seed \(seed)")
        }
    }

    struct LinkEntry: Codable, RawMappable, Equatable {
        var userURL: String
        var imageURLs: [String]
        var id3Tag: Int?
        var _id: Int
        var byHostName: [String: Inner]
        var named: String

        struct Inner: Codable, Equatable { var maxAge: Int }
        enum CodingKeys: String, CodingKey {
            case userURL, imageURLs, id3Tag, _id, byHostName
            case named = "$name"
        }
    }

    static let text =
        #"{"user_url":"a","image_urls":["b"],"id3_tag":3,"_id":7,"by_host_name":{"exampleHost.com":{"max_age":1}},"$name":"n"}"#

    @Test("every property finds its key both ways, and keys of dictionaries stay")
    func roundTrip() throws {
        var decoder = JsonDecoder()
        decoder.keys = .naming(.snakeCase)
        var encoder = JsonEncoder()
        encoder.keys = .naming(.snakeCase)
        let (entry, issues) = try reported { try decoder.decode(LinkEntry.self, from: Data(Self.text.utf8)) }
        #expect(entry.userURL == "a" && entry.imageURLs == ["b"] && entry.id3Tag == 3 && entry._id == 7)
        #expect(entry.byHostName == ["exampleHost.com": .init(maxAge: 1)])
        #expect(issues.isEmpty)
        #expect(try encoder.encode(entry) == Data(Self.text.utf8))
    }

    enum Choice: Codable, Equatable {
        case bankTransfer(accountURL: String)
        case cash
    }

    @Test("enums with values, which list their keys")
    func listedKeys() throws {
        var decoder = JsonDecoder()
        decoder.keys = .naming(.snakeCase)
        var encoder = JsonEncoder()
        encoder.keys = .naming(.snakeCase)
        let choice = Choice.bankTransfer(accountURL: "a")
        let body = try encoder.encode(choice)
        #expect(body == Data(#"{"bank_transfer":{"account_url":"a"}}"#.utf8))
        #expect(try decoder.decode(Choice.self, from: body) == choice)
    }

    struct ClashEntry: Codable {
        var userURL: String
        var userUrl: String
    }

    @Test("two properties with one key are reported, reading and writing")
    func clashingProperties() throws {
        var decoder = JsonDecoder()
        decoder.keys = .naming(.snakeCase)
        var encoder = JsonEncoder()
        encoder.keys = .naming(.snakeCase)
        let (_, reading) = try reported { try decoder.decode([ClashEntry].self, from: [["user_url": "a"]] as Json) }
        let clash = #"$[0].user_url: key clash: read for both "userURL" and "userUrl""#
        #expect(reading == [clash + " in KeyNamingTests.ClashEntry"])
        let (body, writing) = try reported { try encoder.encode([ClashEntry(userURL: "a", userUrl: "b")]) }
        #expect(body == Data(#"[{"user_url":"b"}]"#.utf8))
        #expect(
            writing == ["$[0].user_url: key clash: two properties are written under this key; the last one counts"]
        )
    }

    @Test("two keys for one property are reported; a key named like the property is read if it is alone")
    func clashingKeys() throws {
        struct Entry: Codable { var userURL: String }
        var decoder = JsonDecoder()
        decoder.keys = .naming(.snakeCase)
        let both: Json = ["userURL": "camel", "user_url": "snake"]
        let (entry, issues) = try reported { try decoder.decode(Entry.self, from: both) }
        #expect(entry.userURL == "snake")
        let clash = #"$.user_url: key clash: "userURL" is there as well, and was not read"#
        #expect(issues == [clash + " in KeyNamingTests.Entry"])
        #expect(try decoder.decode(Entry.self, from: ["userURL": "camel"] as Json).userURL == "camel")
    }
}
