import Foundation
import Testing

@testable import Bilayer

/// The rows about writing, and those about both reading and writing.
extension DifferencesFromFoundationTests {
    @Test("Order of members")
    func membersKeepTheirOrder() throws {
        // Foundation's order is not defined, so the test expects nothing of it.
        let value = Plain.Child(name: "n", tags: ["t"])
        for _ in 0..<20 { #expect(try JsonEncoder().encode(value) == Data(#"{"name":"n","tags":["t"]}"#.utf8)) }
    }

    /// Shows the coding path that it sees.
    private struct SeenPath: Encodable {
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(encoder.codingPath.map(\.stringValue).joined(separator: "/"))
        }
    }

    private enum Payload: Encodable { case paid(SeenPath) }

    private struct Nesting: Encodable {
        enum CodingKeys: String, CodingKey { case outer, inner }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            var nested = container.nestedContainer(keyedBy: CodingKeys.self, forKey: .outer)
            try nested.encode(SeenPath(), forKey: .inner)
        }
    }

    @Test("The coding path in nested containers and in enums with payloads")
    func wholePaths() throws {
        func seen(_ value: some Encodable) throws -> [String] {
            try [JSONEncoder().encode(value), JsonEncoder().encode(value)]
                .map { data in
                    let values = text(data).split(separator: "\"")
                    return values.dropLast().last.map { String($0).replacing("\\", with: "") } ?? ""
                }
        }
        #expect(try seen(Nesting()) == ["inner", "outer/inner"])
        #expect(try seen(Payload.paid(SeenPath())) == ["_0", "paid/_0"])
    }

    @Test("Slashes")
    func slashesKeepTheirLooks() throws {
        #expect(try JsonEncoder().encode("a/b") == Data(#""a/b""#.utf8))
        #expect(try JSONEncoder().encode("a/b") == Data(#""a\/b""#.utf8))
    }

    @Test("A `Double` from 1e16 on, or below 1e-4: `1e16`, `1e22`, `1e-5`")
    func spellingOfNumbers() throws {
        let values = [1e15, 1e16, 1e17, 1e22, 1.5e16, 1e-4, 1e-5, -0.0, .leastNonzeroMagnitude, 0.1]
        let theirs = "[1000000000000000,1e+16,1e+17,1e+22,1.5e+16,0.0001,1e-05,-0,5e-324,0.1]"
        let ours = "[1000000000000000,10000000000000000,1e17,1e22,15000000000000000,0.0001,0.00001,-0,5e-324,0.1]"
        #expect(try text(JSONEncoder().encode(values)) == theirs)
        #expect(try text(JsonEncoder().encode(values)) == ours)
        #expect(try foundation([Double].self, ours) == bilayer([Double].self, theirs))
    }

    @Test("A `Decimal` that is not a number")
    func decimalsThatAreNoNumbers() throws {
        #expect(try text(JSONEncoder().encode([Decimal.nan])) == "[NaN]")
        #expect(throws: EncodingError.self) { try JsonEncoder().encode([Decimal.nan]) }
    }

    @Test("The layout of `prettyPrinted`")
    func prettyLayout() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .prettyPrinted
        var ours = JsonEncoder()
        ours.format = .pretty
        let value: [String: [Int]] = ["list": [1]]
        #expect(try text(encoder.encode(value)) == "{\n  \"list\" : [\n    1\n  ]\n}")
        #expect(try text(ours.encode(value)) == "{\n  \"list\": [\n    1\n  ]\n}")
        #expect(try text(encoder.encode([[Int]()])) == "[\n  [\n\n  ]\n]")
        #expect(try text(ours.encode([[Int]()])) == "[\n  []\n]")
        let deep = try Json(parsing: String(repeating: "[", count: 40) + String(repeating: "]", count: 40))
        #expect(try text(encoder.encode(deep)).contains("\n" + String(repeating: " ", count: 76) + "["))
        let lines = try text(ours.encode(deep)).split(separator: "\n")
        #expect(lines.map { $0.prefix { $0 == " " }.count }.max() == 64)
    }

    @Test("Fractions of a second in dates as texts")
    func fractionsOfASecond() throws {
        let date = [Date(timeIntervalSince1970: 0.5)]
        #expect(try text(dateEncoders.foundation.encode(date)) == #"["1970-01-01T00:00:00Z"]"#)
        #expect(try text(dateEncoders.bilayer.encode(date)) == #"["1970-01-01T00:00:00.500Z"]"#)
    }

    @Test("Dates as texts before October 1582")
    func earlyDatesAreWritten() throws {
        let dates = [Date(timeIntervalSince1970: -12_219_292_800), Date(timeIntervalSince1970: -12_219_292_801)]
        let theirs = #"["1582-10-15T00:00:00Z","1582-10-04T23:59:59Z"]"#
        #expect(try text(dateEncoders.foundation.encode(dates)) == theirs)
        let ours = #"["1582-10-15T00:00:00Z","1582-10-14T23:59:59Z"]"#
        #expect(try text(dateEncoders.bilayer.encode(dates)) == ours)
    }

    @Test("Dates as texts before the year 0 or after 9999")
    func yearsOfFourDigits() throws {
        let dates = [
            (-99_999_999_999.0, #"["-1199-02-26T14:13:21Z"]"#), (253_402_300_800, #"["10000-01-01T00:00:00Z"]"#),
        ]
        for (seconds, written) in dates {
            let date = [Date(timeIntervalSince1970: seconds)]
            #expect(try text(dateEncoders.foundation.encode(date)) == written)
            #expect(throws: EncodingError.self) { try dateEncoders.bilayer.encode(date) }
        }
        let last = [Date(timeIntervalSince1970: 253_402_300_799), Date(timeIntervalSince1970: -62_167_219_200)]
        let written = #"["9999-12-31T23:59:59Z","0000-01-01T00:00:00Z"]"#
        #expect(try text(dateEncoders.bilayer.encode(last)) == written)
    }

    @Test("Nesting of a value")
    func nestingHasALimit() throws {
        // With a limit that allows them, a thousand levels need more than the stack of a small thread.
        try onStack(ofBytes: 64 << 20) {
            var tree = Tree.leaf(0)
            for _ in 0..<1000 { tree = .node(left: tree, right: .leaf(1)) }
            #expect(throws: EncodingError.self) { try JsonEncoder().encode(tree) }
            var encoder = JsonEncoder()
            encoder.maximumDepth = 4000
            let text = try encoder.encode(tree)
            #expect(throws: DecodingError.self) { try JsonDecoder().decode(Tree.self, from: text) }
            var decoder = JsonDecoder()
            decoder.parsing.maximumDepth = 4000
            #expect(try encoder.encode(decoder.decode(Tree.self, from: text)) == text)
        }
    }

    @Test("A second value at one coding path, or two containers of different form")
    func aSecondValueAtOnePlaceIsAnError() throws {
        struct Twice: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: PathKey.self)
                try container.encode(1, forKey: PathKey("a"))
                var list = encoder.unkeyedContainer()
                try? list.encode(2)
            }
        }
        struct Again: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(1)
                try container.encode(2)
            }
        }
        #expect(throws: EncodingError.self) { try JsonEncoder().encode([Twice()]) }
        #expect(throws: EncodingError.self) { try JsonEncoder().encode([Again()]) }
    }

    @Test("A value that has written a part when it fails, and whose error is caught")
    func valuesThatFailLeaveNothing() throws {
        struct Failing: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: PathKey.self)
                try container.encode(1, forKey: PathKey("a"))
                throw CancellationError()
            }
        }
        struct Member: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: PathKey.self)
                try container.encode(2, forKey: PathKey("b"))
            }
        }
        struct Catching: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: PathKey.self)
                try? container.encode(Failing(), forKey: PathKey("failing"))
                try container.encode(Member(), forKey: PathKey("member"))
            }
        }
        let text = try JSONEncoder().encode(Catching())
        #expect(try Json(parsing: text) == ["member": ["a": 1, "b": 2]])
        #expect(try JsonEncoder().encode(Catching()) == Data(#"{"member":{"b":2}}"#.utf8))
    }

    @Test("A nested container for a key that has a value")
    func nestedContainersForValues() throws {
        struct Nesting: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: PathKey.self)
                try container.encode(["a": 1], forKey: PathKey("k"))
                var nested = container.nestedContainer(keyedBy: PathKey.self, forKey: PathKey("k"))
                try nested.encode(2, forKey: PathKey("b"))
            }
        }
        #expect(try Json(parsing: JSONEncoder().encode(Nesting())) == ["k": ["a": 1, "b": 2]])
        #expect(throws: EncodingError.self) { try JsonEncoder().encode(Nesting()) }
    }

    @Test("Encoders of `superEncoder()` in one array that are in use at once")
    func superEncodersAtOnce() throws {
        struct Both: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.unkeyedContainer()
                var encoders = [container.superEncoder(), container.superEncoder()]
                for number in 1...2 { try number.encode(to: encoders.removeFirst()) }
            }
        }
        #expect(try JSONEncoder().encode(Both()) == Data("[2,1]".utf8))
        #expect(try JsonEncoder().encode(Both()) == Data("[1,2]".utf8))
    }

    @Test("A `superEncoder(forKey:)` and a value of one key")
    func superEncoderAndValue() throws {
        struct Both: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: PathKey.self)
                var encoders = [container.superEncoder(forKey: PathKey("k"))]
                try container.encode("value", forKey: PathKey("k"))
                try "super".encode(to: encoders.removeFirst())
            }
        }
        #expect(try JSONEncoder().encode(Both()) == Data(#"{"k":"super"}"#.utf8))
        #expect(try JsonEncoder().encode(Both()) == Data(#"{"k":"value"}"#.utf8))
    }

    @Test("A container after a single value that is one")
    func containerAfterASingleValue() throws {
        struct Adding: Encodable {
            func encode(to encoder: any Encoder) throws {
                var single = encoder.singleValueContainer()
                try single.encode(["a": 1])
                var container = encoder.container(keyedBy: PathKey.self)
                try container.encode(2, forKey: PathKey("b"))
            }
        }
        #expect(try Json(parsing: JSONEncoder().encode([Adding()])) == [["a": 1, "b": 2]])
        #expect(throws: EncodingError.self) { try JsonEncoder().encode([Adding()]) }
    }

    @Test("A container kept by user code, written to after its value is done but before the call ends")
    func keptContainersCount() throws {
        struct Late: Encodable {
            func encode(to encoder: any Encoder) throws {
                let shelf = Shelf()
                var list = encoder.unkeyedContainer()
                try list.encode(Shelved(shelf: shelf))
                try shelf.container?.encode(2, forKey: PathKey("b"))
            }
        }
        #expect(try JSONEncoder().encode(Late()) == Data(#"[{"a":1}]"#.utf8))
        #expect(try JsonEncoder().encode(Late()) == Data(#"[{"a":1,"b":2}]"#.utf8))
    }

    @Test("Writing to what is left of a call that has ended")
    func keptContainersThrowAfterTheCall() throws {
        let shelf = Shelf()
        #expect(try JSONEncoder().encode([Shelved(shelf: shelf)]) == Data(#"[{"a":1}]"#.utf8))
        try shelf.container?.encode(2, forKey: PathKey("b"))
        #expect(try JsonEncoder().encode([Shelved(shelf: shelf)]) == Data(#"[{"a":1}]"#.utf8))
        #expect(throws: EncodingError.self) { try shelf.container?.encode(2, forKey: PathKey("b")) }
    }

    @Test("Coding keys of one byte whose `stringValue` changes while the process runs")
    func keysThatChange() throws {
        struct Asked: Codable, Equatable {
            var id = 1
            enum CodingKeys: CodingKey {
                case id
                var stringValue: String { KeyVersion.current == 1 ? "id" : "uid" }
                var intValue: Int? { nil }
                init?(stringValue: String) { nil }
                init?(intValue: Int) { nil }
            }
        }
        struct Kept: Encodable {
            var id = 1
            enum CodingKeys: CodingKey {
                case id
                var stringValue: String { KeyVersion.current == 1 ? "id" : "uid" }
                var intValue: Int? { nil }
                init?(stringValue: String) { self = .id }
                init?(intValue: Int) { nil }
            }
        }
        for (version, text) in [(1, #"{"id":1}"#), (2, #"{"uid":1}"#), (1, #"{"id":1}"#)] {
            try KeyVersion.$current.withValue(version) {
                #expect(try JsonEncoder().encode(Asked()) == Data(text.utf8))
                #expect(try bilayer(Asked.self, text) == Asked())
                #expect(try JSONEncoder().encode(Kept()) == Data(text.utf8))
                // Bilayer writes one of the two texts. Which one depends on what the reused session has written before.
                let found = try Json(parsing: JsonEncoder().encode(Kept()))
                #expect(found == ["id": 1] || found == ["uid": 1])
            }
        }
    }

    @Test("The coding key of a member of a dictionary with `String` keys, if the key is a number")
    func numbersAsKeys() throws {
        func number<Decoding>(_ decode: (Decoding) throws -> [String: Int], _ data: Decoding) throws -> Int? {
            let error = #expect(throws: DecodingError.self) { try decode(data) }
            guard case .typeMismatch(_, let context)? = error else { throw try #require(error) }
            return context.codingPath.last?.intValue
        }
        let data = Data(#"{"2":"x"}"#.utf8)
        #expect(try number({ try JSONDecoder().decode([String: Int].self, from: $0) }, data) == 2)
        #expect(try number({ try JsonDecoder().decode([String: Int].self, from: $0) }, data) == nil)
    }

    @Test("Keys of a dictionary that are no `String`, under a strategy for keys")
    func keysOfDictionaries() throws {
        let text = Data(#"{"first_part":1}"#.utf8)
        let reader = JSONDecoder()
        reader.keyDecodingStrategy = .convertFromSnakeCase
        #expect(throws: DecodingError.self) { try reader.decode([Part: Int].self, from: text) }
        let writer = JSONEncoder()
        writer.keyEncodingStrategy = .convertToSnakeCase
        #expect(try self.text(writer.encode([Part.secondPart: 1])) == #"{"second_part":1}"#)
        var decoder = JsonDecoder()
        decoder.keys = .convertFromSnakeCase
        #expect(try decoder.decode([Part: Int].self, from: text) == [.firstPart: 1])
        var encoder = JsonEncoder()
        encoder.keys = .convertToSnakeCase
        #expect(try self.text(encoder.encode([Part.secondPart: 1])) == #"{"secondPart":1}"#)
    }

    private var dateEncoders: (foundation: JSONEncoder, bilayer: JsonEncoder) {
        let foundation = JSONEncoder()
        foundation.dateEncodingStrategy = .iso8601
        var bilayer = JsonEncoder()
        bilayer.dates = .rfc3339
        return (foundation, bilayer)
    }

    private func text(_ data: Data) -> String { String(decoding: data, as: UTF8.self) }

    private final class Shelf { var container: KeyedEncodingContainer<PathKey>? }

    private struct Shelved: Encodable {
        let shelf: Shelf

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: PathKey.self)
            try container.encode(1, forKey: PathKey("a"))
            shelf.container = container
        }
    }
}

private enum Part: String, Codable, CodingKeyRepresentable {
    case firstPart = "first_part"
    case secondPart
}

/// A version on which the names of some keys depend.
private enum KeyVersion {
    @TaskLocal static var current = 1
}
