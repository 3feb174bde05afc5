import Foundation
import Testing

@testable import Bilayer

/// Keys that an attacker has made alike are distinguished as fast as others: hashes cover every byte and are seeded.
@Suite("Keys of equal length, first and last bytes")
struct KeyCollisionTests {
    /// Keys of the same length that differ in the middle alone.
    static func keys(_ count: Int) -> [String] {
        (0..<count).map { "aaaaaaaa" + String(format: "%08x", $0) + "bbbbbbbb" }
    }

    private func hash(_ key: String, _ seed: KeySeed) -> UInt64 {
        key.withJsonBytes { seed.hash($0, from: 0, count: $0.count) }
    }

    @Test("hashes of keys that differ anywhere are different", arguments: 0...40)
    func everyByteCounts(length: Int) {
        var random = SplitMix64(seed: UInt64(length))
        let seed = KeySeed(using: random)
        let key = String(repeating: "k", count: length)
        var keys: Set<String> = [key, key + "\0"]
        for place in 0..<length {
            for byte in ["\0", "j", "~"] as [Character] {
                var other = Array(key)
                other[place] = byte
                keys.insert(String(other))
            }
        }
        #expect(Set(keys.map { hash($0, seed) }).count == keys.count)
        #expect(hash(key, seed) != hash(key, KeySeed(using: SplitMix64(seed: random.next()))))
    }

    @Test("a part of the bits tells alike keys apart", arguments: 1...5 as ClosedRange<UInt64>)
    func spread(number: UInt64) {
        let seed = KeySeed(using: SplitMix64(seed: number))
        let hashes = Self.keys(10_000).map { hash($0, seed) }
        for shift in [0, 24, 40] as [UInt64] {
            // Of 65,536 slots about 9,270 are taken by 10,000 random hashes.
            #expect(Set(hashes.map { ($0 >> shift) & 0xFFFF }).count > 9_000, "seed \(number), bits from \(shift)")
        }
    }

    @Test("a key has one hash wherever it is: alone, in a text, at its end", arguments: 0...40)
    func oneHashEverywhere(length: Int) throws {
        let key = String((0..<length).map { Character(Unicode.Scalar(UInt8(97 + $0 % 26))) })
        let seed = KeySeed.process
        for text in ["{\"\(key)\":1}", "{\"\(key)\":\"\(String(repeating: "x", count: 40))\"}", "{ \"\(key)\" :0}"] {
            let json = try Json(parsing: text)
            guard case .view(let document, _) = json.storage else {
                Issue.record("\(text) is no parsed text")
                continue
            }
            document.withNodes { #expect($0.seededHash(ofKeyAt: $0.firstChild(of: 0), seed) == hash(key, seed)) }
        }
    }

    @Test("look-up, equality, conversion of keys and refusing repeated keys are right with alike keys")
    func alikeKeysAreFound() throws {
        let keys = Self.keys(5000)
        let text = "{" + keys.enumerated().map { "\"\($1)\":\($0)" }.joined(separator: ",") + "}"
        let json = try Json(parsing: text, options: .init(duplicateKeys: .reject))
        for (number, key) in keys.enumerated() { #expect(json[key]?.int == number) }
        #expect(json["aaaaaaaa________bbbbbbbb"] == nil)
        #expect(json == Json(members: json.members.reversed()))
        var decoder = JsonDecoder()
        decoder.keys = .convertFromSnakeCase
        #expect(try decoder.decode([String: Int].self, from: Data(text.utf8)).count == keys.count)
        #expect(throws: JsonSyntaxError.self) {
            let repeated = text.dropLast() + ",\"\(keys[17])\":1}"
            _ = try Json(parsing: String(repeated), options: .init(duplicateKeys: .reject))
        }
    }
}

@Suite("Tables of large objects")
struct MemberTablesTests {
    /// Long and short keys, with escapes, repeated, and of equal first and last bytes.
    private func object(_ random: inout SplitMix64) -> (text: String, keys: [String]) {
        let pool = LookupHintTests.keys + KeyCollisionTests.keys(200) + (0..<300).map { "k\($0)" }
        let keys = (0..<400).compactMap { _ in pool.randomElement(using: &random) }
        let members = keys.enumerated()
            .map { number, key in
                let escaped =
                    number % 5 == 0 ? key.unicodeScalars.map { String(format: "\\u%04x", $0.value) }.joined() : nil
                return (escaped.map { "\"\($0)\"" } ?? Json(key).description) + ":[\(number)]"
            }
        return ("{" + members.joined(separator: ",") + "}", keys)
    }

    @Test("of equal keys the one counts that the options say", arguments: 0..<10 as Range<UInt64>)
    func equalKeys(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let (text, keys) = object(&random)
        let first = try Json(parsing: text)
        let last = try Json(parsing: text, options: .init(duplicateKeys: .lastWins))
        // The first few look-ups compare keys, the others use the table.
        for _ in 0..<3 {
            for key in keys {
                #expect(first[key]?[0]?.int == keys.firstIndex { $0.hasSameBytes(as: key) }, "seed \(seed): \(key)")
                #expect(last[key]?[0]?.int == keys.lastIndex { $0.hasSameBytes(as: key) }, "seed \(seed): \(key)")
            }
            #expect(first["absent"] == nil && last["absent"] == nil)
        }
    }

    /// An object that is large enough for a table, twice.
    private func largeObjects() throws -> (json: Json, document: JsonDocument, other: Json) {
        let text = "{" + (0..<200).map { "\"k\($0)\":\($0)" }.joined(separator: ",") + "}"
        let json = try Json(parsing: text)
        guard case .view(let document, _) = json.storage else { throw Missing() }
        return (json, document, try Json(parsing: text))
    }

    @Test("while a table is built, members of this and of other objects are looked up", .timeLimit(.minutes(5)))
    func buildingHoldsNoLock() async throws {
        let (json, document, other) = try largeObjects()
        let (isBuilding, mayGoOn, isBuilt) = (DispatchSemaphore(value: 0), Gate(), Gate())
        // Threads, not tasks: a task that blocks while it waits for another one keeps a thread of the pool that the
        // other one may need.
        Thread {
            while !isBuilt.isOpen {
                _ = document.table(of: 0) {
                    isBuilding.signal()
                    mayGoOn.wait()
                    isBuilt.open()
                    return document.withNodes { MemberTable($0, of: 0, lastWins: false) }
                }
            }
            isBuilding.signal()
        }
        .start()
        let found = await withCheckedContinuation { found in
            Thread {
                isBuilding.wait()
                // The builder now waits for this thread. If it held a lock, neither would ever go on.
                let values = (0..<200).map { (json["k\($0)"]?.int, other["k\($0)"]?.int) }
                let isStillBuilding = !isBuilt.isOpen
                mayGoOn.open()
                isBuilding.wait()
                found.resume(returning: (values, isStillBuilding))
            }
            .start()
        }
        #expect(found.1)
        for number in 0..<200 { #expect(found.0[number] == (number, number)) }
        #expect(json["k199"]?.int == 199 && json["absent"] == nil)
    }

    @Test("of many threads that look up at once, one builds the table, and all find every member")
    func oneBuilder() throws {
        let (json, document, _) = try largeObjects()
        let builds = AtomicCounter()
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for number in 0..<200 {
                let table = document.table(of: 0) {
                    builds.change(by: 1)
                    return document.withNodes { MemberTable($0, of: 0, lastWins: false) }
                }
                if let table {
                    let key = "k\(number)"
                    let value = key.withJsonBytes { key in
                        document.withNodes { nodes -> Int? in
                            nodes.integer(at: table.member(KeyPattern(key), in: nodes))
                        }
                    }
                    #expect(value == number)
                }
            }
        }
        // Look-ups through `json` would build the table, too, so they come only now.
        #expect(builds.value == 1)
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for number in 0..<200 { #expect(json["k\(number)"]?.int == number) }
        }
    }

    private struct Missing: Error {}
}

/// A gate that is closed at first. One thread opens it for all others.
// Sendable: `isPassable` is only touched with the lock held.
private final class Gate: @unchecked Sendable {
    private let condition = NSCondition()
    private var isPassable = false

    var isOpen: Bool { condition.withLock { isPassable } }

    func open() {
        condition.withLock {
            isPassable = true
            condition.broadcast()
        }
    }

    func wait() {
        condition.withLock { while !isPassable { condition.wait() } }
    }
}
