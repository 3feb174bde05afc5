import Bilayer
import Foundation
import Testing

/// A call of a keyed container for a key. Its error is discarded.
enum KeyedCall: CaseIterable, Sendable {
    case decode, decodeNil, contains, nestedContainer, nestedUnkeyedContainer, superDecoder

    func run<Key: CodingKey>(_ container: KeyedDecodingContainer<Key>, _ key: Key) {
        switch self {
        case .decode: _ = try? container.decode(Int.self, forKey: key)
        case .decodeNil: _ = try? container.decodeNil(forKey: key)
        case .contains: _ = container.contains(key)
        case .nestedContainer: _ = try? container.nestedContainer(keyedBy: Key.self, forKey: key)
        case .nestedUnkeyedContainer: _ = try? container.nestedUnkeyedContainer(forKey: key)
        case .superDecoder: _ = try? container.superDecoder(forKey: key)
        }
    }
}

/// Reads two properties by two calls of one container.
private struct TwoCallsEntry: Codable, RawMappable {
    @TaskLocal static var calls = (first: KeyedCall.decode, second: KeyedCall.decode)
    enum CodingKeys: String, CodingKey { case one, other }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        Self.calls.first.run(container, .one)
        Self.calls.second.run(container, .other)
    }

    func encode(to encoder: any Encoder) throws {}
}

@Suite("Two properties that are read from one key clash")
struct ClashesByCallTests {
    /// The key of `one` is `other`, which is the own name of the property `other` as well.
    private var swapping: CodingConventions {
        var conventions = CodingConventions()
        conventions.keys = KeyNaming { $0 == "one" ? "other" : "none" }
        return conventions
    }

    private var strictCollecting: MappingPolicy {
        var policy = MappingPolicy.strict
        policy.collectsAll = true
        return policy
    }

    @Test(
        "whichever calls of a container read them, under every policy",
        arguments: KeyedCall.allCases,
        KeyedCall.allCases
    )
    func calls(first: KeyedCall, second: KeyedCall) throws {
        for text in [#"{"other":1}"#, #"{"other":"x"}"#, #"{"other":{}}"#, #"{"other":[]}"#] {
            let raw = try Json.of("[\(text)]")
            for (policy, severity) in [
                (.standard, "warning"), (.salvaging, "warning"), (.collectingAll(), "warning"), (.strict, "error"),
                (strictCollecting, "error"),
            ] as [(MappingPolicy, String)] {
                let read = TwoCallsEntry.$calls.withValue((first, second)) {
                    mapping(policy, swapping) { try [TwoCallsEntry].from(raw: raw) }
                }
                #expect(read.lines == ["\(severity) key clash $[0].other"], "\(text) \(severity)")
            }
        }
    }

    @Test("beside unknown keys, if the errors of their values are discarded", arguments: KeyedCall.allCases)
    func besideUnknownKeys(call: KeyedCall) throws {
        let raw = try Json.of(#"[{"other":"x","more":1}]"#)
        let read = TwoCallsEntry.$calls.withValue((call, .decode)) {
            mapping(strictCollecting, swapping) { try [TwoCallsEntry].from(raw: raw) }
        }
        #expect(read.lines == ["error key clash $[0].other", "error unknown key $[0].more"])
    }
}
