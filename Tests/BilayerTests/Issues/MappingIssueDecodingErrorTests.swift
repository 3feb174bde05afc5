import Foundation
import Testing

@testable import Bilayer

/// The report of a `DecodingError` that another decoder or the app throws.
@Suite struct MappingIssueDecodingErrorTests {
    private enum Rank: String, Decodable { case known }
    private enum Number: Int, Decodable { case one = 1 }

    private func issue<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> MappingIssue {
        let error = #expect(throws: DecodingError.self) { try JsonDecoder().decode(type, from: Data(text.utf8)) }
        return MappingIssue(try #require(error))
    }

    @Test("the raw value that is none of an enum's, which the standard library's error shows, is left out")
    func rawValues() throws {
        for (issue, name) in [
            (try issue([Rank].self, #"["secret value 4711"]"#), "Rank"), (try issue([Number].self, "[4711]"), "Number"),
        ] {
            #expect(issue.kind == .invalidValue)
            #expect(issue.path == JsonPath([.index(0)]))
            #expect(issue.expected == "a value of \(name)" && issue.detail == nil)
            #expect(!"\(issue)".contains("secret") && !"\(issue)".contains("4711"))
        }
    }

    @Test("an element after the end of an array is missing", arguments: AnyJsonDecoder.allCases)
    private func pastEnd(_ decoder: AnyJsonDecoder) throws {
        struct Pair: Decodable {
            init(from decoder: any Decoder) throws {
                var container = try decoder.unkeyedContainer()
                _ = try container.decode(Int.self)
                _ = try container.decode(Int.self)
            }
        }
        let error = #expect(throws: DecodingError.self) { try decoder.decode([Pair].self, "[[1]]") }
        let issue = MappingIssue(try #require(error))
        #expect(issue.kind == .missing && issue.path.exactDescription == "$[0][1]")
        guard case .valueNotFound? = error else { return #expect(Bool(false), "\(issue)") }
    }

    @Test("a key that is none of a dictionary's is at fault, and not its value", arguments: AnyJsonDecoder.allCases)
    private func dictionaryKeys(_ decoder: AnyJsonDecoder) throws {
        enum Role: String, Codable, CodingKeyRepresentable { case admin }
        func told<Key: Hashable & Decodable & CodingKeyRepresentable>(_ key: Key.Type) throws -> String {
            let error = #expect(throws: DecodingError.self) {
                try decoder.decode([[Key: String]].self, #"[{"guest":"a"}]"#)
            }
            let issue = MappingIssue(try #require(error))
            return "\(issue.path.exactDescription): \(issue.message)"
        }
        #expect(try told(Int.self) == "$[0].guest: invalid value: expected a key of type Int")
        #expect(try told(Role.self) == "$[0].guest: invalid value: expected a key of type Role")
    }

    @Test(
        "in an entry too, under each policy",
        arguments: [MappingPolicy.standard, .strict, .collectingAll(), .salvaging]
    )
    func dictionaryKeysOfEntries(_ policy: MappingPolicy) throws {
        struct TeamEntry: Codable, RawMappable { let namesByID: [Int: String] }
        let json: Json = ["namesByID": ["first": "Ann", "2": "Ben"]]
        let mapped = mapping(policy) { try [TeamEntry].from(raw: [json]) }
        let issue = try #require(mapped.issues.first.map { $0.causes.first ?? $0 })
        #expect(issue.path.exactDescription == "$[0].namesByID.first")
        #expect(issue.kind == .invalidValue && issue.expected == "a key of type Int" && issue.found == nil)
        let byHand = mapping(policy) { try [Int: String].from(raw: ["first": "Ann", "2": "Ben"]) }
        let other = try #require(byHand.issues.first.map { $0.causes.first ?? $0 })
        #expect(other.path.exactDescription == "$.first" && other.expected == issue.expected && other.found == nil)
    }

    @Test(
        "a text that begins as one of ours is left out, too",
        arguments: [
            "The string is not a valid IBAN: DE4711", "The string is not Base64: DE4711", "More than DE4711 is owed.",
            "Expected at most 4711 nested values, 4711 of them secret, found more.", "JSON has no DE4711.",
            "The number does not fit in DE4711.", "The array has no more than 4711000000000000 elements.",
            "Cannot initialize the account DE4711 value ", "Cannot initialize Account from invalid DE4711 value x",
            "Invalid URL string. https://DE4711.example.com", "Could not convert key to type DE4711",
            "The text is not JSON. DE4711",
        ]
    )
    func likeOurs(text: String) throws {
        struct Own: Decodable {
            init(from decoder: any Decoder) throws {
                let text = try decoder.singleValueContainer().decode(String.self)
                throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: text))
            }
        }
        let issue = try issue([Own].self, #"["\#(text)"]"#)
        #expect(issue.kind == .invalidValue && issue.detail == nil)
        #expect(!"\(issue)".contains("4711"))
    }

    @Test("so is a text around an error of ours")
    func aroundOurs() throws {
        struct Embedding: Decodable {
            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                let text = try container.decode(String.self)
                do {
                    _ = try Json(parsing: text)
                } catch {
                    throw DecodingError.dataCorrupted(
                        .init(codingPath: [], debugDescription: "embedded \(text) is broken", underlyingError: error)
                    )
                }
            }
        }
        let issue = try issue([Embedding].self, #"["{DE4711"]"#)
        #expect(issue.detail == nil && !"\(issue)".contains("4711"))
    }

    @Test("what cannot be written has its path and its reason, and no value")
    func encodingErrors() throws {
        struct Reading: Codable, RawMappable { let values: [Double] }
        struct Owner: Codable, RawMappable { let reading: Reading }
        let owner = Owner(reading: Reading(values: [1, .nan]))
        let error = #expect(throws: MappingError.self) { try CollectingReporter().mapping { try [owner].toRaw() } }
        let issue = try #require(error?.issues.first)
        #expect("\(issue)" == "$[0].reading.values[1]: invalid value: expected a finite number, found Double")
        #expect(issue.path == [.index(0), .key("reading"), .key("values"), .index(1)])
        let own = EncodingError.invalidValue("4711", .init(codingPath: [], debugDescription: "found 4711"))
        #expect(!"\(MappingError(wrapping: own))".contains("4711"))
    }

    private struct Misuse: Encodable, RawEncodable {
        let write: @Sendable (any Encoder) throws -> Void
        func encode(to encoder: any Encoder) throws { try write(encoder) }
    }

    private enum MisuseKeys: String, PathCodingKey {
        case city, meta
        static let paths: [MisuseKeys: [String]] = [.city: ["meta.city"]]
    }

    @Test("a mistake in the code that writes an entry has its reason and its path")
    func mistakes() throws {
        let programs: [(path: String, reason: String, write: @Sendable (any Encoder) throws -> Void)] = [
            (
                "$.meta.city", "The path goes through the value of another key.",
                { encoder in
                    var container = encoder.container(keyedBy: MisuseKeys.self)
                    try container.encode(1, forKey: .meta)
                    try container.encode(2, forKey: .city)
                }
            ),
            (
                "$", "A second value of another form at one place.",
                { encoder in
                    _ = encoder.container(keyedBy: MisuseKeys.self)
                    _ = encoder.unkeyedContainer()
                }
            ),
            (
                "$", "Expected one value at this coding path, found a second one.",
                { encoder in
                    var container = encoder.singleValueContainer()
                    try container.encode(1)
                    try container.encode(2)
                }
            ),
            ("$", "MappingIssueDecodingErrorTests.Misuse did not encode anything.", { _ in }),
            (
                "$", "Only a member of an object can be absent.",
                { encoder in
                    var container = encoder.singleValueContainer()
                    try container.encode(Field<Int>.absent)
                }
            ),
        ]
        for program in programs {
            let error = #expect(throws: (any Error).self) {
                try CollectingReporter().mapping { try Misuse(write: program.write).toRaw() }
            }
            let issue = try #require(error.map(MappingError.init(wrapping:))?.issues.first)
            #expect(issue.detail == program.reason)
            #expect(issue.path.exactDescription == program.path)
        }
    }

    @Test("what our decoder and Foundation's types expect is said in the words of reading by hand")
    func known() throws {
        struct Pair: Decodable {
            init(from decoder: any Decoder) throws {
                var container = try decoder.unkeyedContainer()
                _ = try container.decode(Int.self)
                _ = try container.decode(UUID.self)
                while true { _ = try container.decode(Int.self) }
            }
        }
        let id = "0C0D4E3C-3C6B-4A6B-8F0E-0C0D4E3C3C6B"
        #expect("\(try issue([UInt8].self, "[256]"))" == "$[0]: out of range: expected UInt8")
        #expect("\(try issue([URL].self, #"[""]"#))" == "$[0]: invalid value: expected a URL")
        #expect("\(try issue([UUID].self, #"["x"]"#))" == "$[0]: invalid value: expected a UUID")
        #expect("\(try issue([Data].self, #"["?"]"#))" == "$[0]: invalid value: expected Base64")
        #expect("\(try issue(Pair.self, #"[1,"\#(id)"]"#))" == "$[2]: missing")
    }

    @Test("what another type says is left out: it can name the value")
    func ownErrors() throws {
        struct Own: Decodable {
            init(from decoder: any Decoder) throws {
                throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "found secret"))
            }
        }
        #expect(try issue(Own.self, "1").detail == nil)
        #expect(try issue(Own.self, "1").kind == .invalidValue)
    }
}
