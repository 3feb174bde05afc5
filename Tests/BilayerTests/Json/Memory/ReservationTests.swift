import Foundation
import Testing

@testable import Bilayer

/// A text cannot make a decoder reserve memory that the text could never fill: the length of the text bounds the
/// reservation before the first element.
@Suite("Memory reserved for elements")
struct ReservationTests {
    @Test(
        "is for all elements where the text is about as long as they are large",
        arguments: [
            (count: 1, stride: 1 << 20, textBytes: 3), (count: 100, stride: 40, textBytes: 0),
            (count: 1_000_000, stride: 8, textBytes: 2_000_001), (count: 10_000, stride: 400, textBytes: 900_000),
        ]
    )
    func whole(_ count: Int, _ stride: Int, _ textBytes: Int) {
        #expect(Reservation.capacity(for: count, stride: stride, textBytes: textBytes) == count)
    }

    @Test(
        "is at most eight times the text otherwise, or 4 KB",
        arguments: [
            (count: 31_000_000, stride: 1024, textBytes: 62_000_001), (count: 100, stride: 4096, textBytes: 201),
            (count: .max, stride: 1 << 30, textBytes: .max), (count: 4_000_000_000, stride: 1 << 30, textBytes: 9),
        ]
    )
    func part(_ count: Int, _ stride: Int, _ textBytes: Int) {
        let count = min(count, 4_000_000_000)
        let textBytes = min(textBytes, 4_000_000_000)
        let capacity = Reservation.capacity(for: count, stride: stride, textBytes: textBytes)
        #expect(capacity >= 1 && capacity < count)
        #expect(capacity == 1 || capacity * stride <= max(8 * textBytes, 4096))
    }

    @Test("is bounded for elements that are mapped from others")
    func mapped() {
        #expect(Reservation.capacity(for: 1_000_000, mapping: Int.self, to: Int.self) == 1_000_000)
        #expect(Reservation.capacity(for: 1_000_000, mapping: Json.self, to: Int.self) == 1_000_000)
        #expect(Reservation.capacity(for: 1_000_000, mapping: Json.self, to: Wide.self) * 4096 <= 16_000_000)
        #expect(Reservation.capacity(for: 1_000_000, mapping: Int.self, to: Wide.self) * 4096 <= 64_000_000)
    }

    @Test("an outcome that waits in a dictionary takes no room for a value")
    func heldOutcomes() {
        #expect(MemoryLayout<IndirectAttempt<Wide>>.size <= 16)
    }

    @Test("elements that take far more memory than their text are all read")
    func grownElements() throws {
        let text = "[" + (0..<5000).map { "\"\($0)\"" }.joined(separator: ",") + "]"
        let decoded = try JsonDecoder().decode([Small].self, from: Data(text.utf8))
        #expect(decoded.map(\.name) == (0..<5000).map(String.init))
        _ = try [Small].from(raw: Json(parsing: "[\"1\",\"2\"]"))
        #expect(try [Small].from(raw: Json(parsing: text)).map(\.name) == (0..<5000).map(String.init))
        let bad = text.dropLast() + ",1]"
        let error = #expect(throws: DecodingError.self) {
            try JsonDecoder().decode([Small].self, from: Data(bad.utf8))
        }
        guard case .typeMismatch(_, let context) = error else { throw try #require(error) }
        #expect(context.codingPath.map(\.intValue) == [5000])
        let mapping = try #require(throws: MappingError.self) { try [Small].from(raw: Json(parsing: String(bad))) }
        #expect(mapping.path.description == "$[5000]")
    }

    #if os(Linux)
    /// The ways to read a collection whose elements take 4 KB each, from a text that has a few bytes for each element.
    enum Way: CaseIterable {
        case array, nestedArrays, optionals, set, dictionary, intDictionary, lossyArray, lossySet, lossyDictionary
        case rawArray, rawSet, rawDictionary, rawLossyArray, rawLossyDictionary, entries, reportedArray,
            reportedEntries,
            salvagedEntries, models

        var isObject: Bool {
            switch self {
            case .dictionary, .intDictionary, .lossyDictionary, .rawDictionary, .rawLossyDictionary: true
            default: false
            }
        }

        func read(_ text: Data) throws {
            let decoder = JsonDecoder()
            func json() throws -> Json { try Json(parsing: text) }
            func member() throws -> Json { ["list": try json()] }
            switch self {
            case .array: _ = try decoder.decode([Wide].self, from: text)
            case .nestedArrays: _ = try decoder.decode([[Wide]].self, from: Data("[".utf8) + text + Data("]".utf8))
            case .optionals: _ = try decoder.decode([Wide?].self, from: text)
            case .set: _ = try decoder.decode(Set<Wide>.self, from: text)
            case .dictionary: _ = try decoder.decode([String: Wide].self, from: text)
            case .intDictionary: _ = try decoder.decode([Int: Wide].self, from: text)
            case .lossyArray: _ = try decoder.decode(Lossy<[Wide]>.self, from: text)
            case .lossySet: _ = try decoder.decode(Lossy<Set<Wide>>.self, from: text)
            case .lossyDictionary: _ = try decoder.decode(Lossy<[String: Wide]>.self, from: text)
            case .rawArray: _ = try [ByHand].from(raw: json())
            case .rawSet: _ = try Set<ByHand>.from(raw: json())
            case .rawDictionary: _ = try [String: ByHand].from(raw: json())
            case .rawLossyArray: _ = try member().decodeLossy("list") as [ByHand]
            case .rawLossyDictionary: _ = try member().decodeLossy("list") as [String: ByHand]
            case .entries: _ = try [Wide].from(raw: json())
            case .reportedArray: _ = try CollectingReporter().mapping { try [ByHand].from(raw: json()) }
            case .reportedEntries: _ = try CollectingReporter().mapping { try [Wide].from(raw: json()) }
            case .salvagedEntries:
                _ = try CollectingReporter().mapping(policy: .salvaging) { try [Wide].from(raw: json()) }
            case .models: _ = try [Model].from(dto: [Int].from(raw: json()))
            }
        }
    }

    @Test("is a small multiple of the text when the first element is read", arguments: Way.allCases)
    func hostileTexts(_ way: Way) throws {
        let count = 600_000
        let text =
            way.isObject
            ? "{" + (0..<count).map { "\"\($0)\":0" }.joined(separator: ",") + "}"
            : "[" + String(repeating: "0,", count: count - 1) + "0]"
        // Room for all elements would be 2.4 GB, in every run. Other tests reserve 64 MB for each new thread at the
        // same time, so the run with the least reserved memory decides.
        let bound = 1 << 29
        var least = Int.max
        for _ in 1...5 where least >= bound {
            let before = addressSpace()
            let seen = Seen()
            Seen.$current.withValue(seen) {
                #expect(throws: (any Error).self) { try way.read(Data(text.utf8)) }
            }
            least = min(least, try #require(seen.bytes) - before)
        }
        #expect(least < bound)
    }

    @Test("a search for all errors holds no room for members without a value")
    func searchedMembers() throws {
        struct HolderEntry: Decodable, RawDecodable { let members: [NotedKey: WideNumber] }
        let count = 300_000
        let members = (0..<count).map { "\"\($0)\":\($0 == 0 ? 1 : 0)" }.joined(separator: ",")
        let raw = try Json(parsing: "{\"members\":{\(members)}}")
        // Room for all members would be 1.2 GB.
        let bound = 1 << 29
        var least = Int.max
        for _ in 1...5 where least >= bound {
            let before = addressSpace()
            let seen = Seen()
            Seen.$current.withValue(seen) {
                #expect(throws: MappingError.self) {
                    try CollectingReporter()
                        .mapping(policy: .collectingAll(limit: 1)) {
                            try HolderEntry.from(raw: raw)
                        }
                }
            }
            least = min(least, try #require(seen.most) - before)
        }
        #expect(least < bound)
    }
    #endif
}

/// A type of 4 KB that is read from the number 1 only.
private struct WideNumber: Decodable, Sendable {
    let values: Eight<Eight<Eight<Int>>>

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard try container.decode(Int.self) == 1 else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not 1")
        }
        func eight<Part>(_ part: Part) -> Eight<Part> { (part, part, part, part, part, part, part, part) }
        values = eight(eight(eight(1)))
    }
}

/// A key that records the reserved memory when it is made.
private struct NotedKey: Hashable, Decodable, CodingKeyRepresentable, Sendable {
    let name: String
    var codingKey: any CodingKey { PathKey(name) }

    init?(codingKey: some CodingKey) {
        name = codingKey.stringValue
        Seen.noteMost()
    }
}

private struct Small: RawMappable, Codable {
    let name: String
    let more: (Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int)

    init(from decoder: any Decoder) throws {
        name = try decoder.singleValueContainer().decode(String.self)
        more = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    }

    func encode(to encoder: any Encoder) throws { try name.encode(to: encoder) }
}

private typealias Eight<Part> = (Part, Part, Part, Part, Part, Part, Part, Part)

/// A type of 4 KB. When the first value is requested, it records the reserved memory and ends the reading.
private struct Wide: Decodable, Hashable, RawDecodable {
    typealias Raw = Json

    let values: Eight<Eight<Eight<Int>>>

    init(from decoder: any Decoder) throws { throw Seen.note() }

    static func == (left: Wide, right: Wide) -> Bool { false }
    func hash(into hasher: inout Hasher) {}
}

private struct ByHand: RawDecodable, Hashable {
    let values: Eight<Eight<Eight<Int>>>

    static func from(raw: Json) throws -> ByHand { throw Seen.note() }

    static func == (left: ByHand, right: ByHand) -> Bool { false }
    func hash(into hasher: inout Hasher) {}
}

private struct Model: DTODecodable {
    let values: Eight<Eight<Eight<Int>>>

    static func from(dto: Int) throws -> Model { throw Seen.note() }
}

/// The address space that the process had when the first element was requested.
// Sendable: one test has it, on one thread.
private final class Seen: @unchecked Sendable {
    @TaskLocal static var current: Seen?

    private(set) var bytes: Int?
    /// The most that was recorded.
    private(set) var most: Int?

    /// Records the address space. The returned error ends every reading, lossy ones too.
    static func note() -> CancellationError {
        #if os(Linux)
        current?.bytes = current?.bytes ?? addressSpace()
        #endif
        return CancellationError()
    }

    static func noteMost() {
        #if os(Linux)
        if let current { current.most = max(current.most ?? 0, addressSpace()) }
        #endif
    }
}

#if os(Linux)
/// Bytes of address space that the process has reserved.
private func addressSpace() -> Int {
    let pages = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ").first
    return pages.flatMap { Int($0) }.map { $0 * 4096 } ?? 0
}
#endif
