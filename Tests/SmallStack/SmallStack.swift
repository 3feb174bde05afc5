import Bilayer
import Foundation

struct TreeEntry: Codable, RawMappable { var children: [TreeEntry] }

struct LossyEntry: Codable, RawMappable { @Lossy var children: [LossyEntry] }

struct FolderEntry: Codable, RawMappable { var folders: [String: FolderEntry]? }

indirect enum ChainEntry: Codable, RawMappable {
    case end
    case next(ChainEntry)
}

struct HandEntry: RawDecodable {
    let children: [HandEntry]

    static func from(raw: Json) throws -> HandEntry { HandEntry(children: try raw.decode("children")) }
}

/// Reads a value of any kind by trying one kind after the other.
struct AnyEntry: Decodable {
    init(from decoder: any Decoder) throws {
        if let members = try? decoder.singleValueContainer().decode([String: AnyEntry].self) {
            _ = members
        } else if var elements = try? decoder.unkeyedContainer() {
            while !elements.isAtEnd { _ = try elements.decode(AnyEntry.self) }
        }
    }
}

/// Runs each way through deep values on a thread of 512 KB, as systems of Apple make for secondary threads. Each must
/// end with a value, or with the error that the stack has no room for more. Otherwise the process ends.
@main
enum SmallStack {
    static let limit = Json.ParsingOptions().maximumDepth

    /// A text that nests a value as deeply as the default limit allows.
    static func text(_ start: String, _ inner: String, _ end: String) throws -> Json {
        let levels = start.count { $0 == "{" || $0 == "[" }
        let innerLevels = inner.count { $0 == "{" || $0 == "[" }
        let count = (limit - innerLevels) / levels
        let text = String(repeating: start, count: count) + inner + String(repeating: end, count: count)
        return try Json(parsing: text)
    }

    static func tree() throws -> Json { try text(#"{"children":["#, "", "]}") }

    static func mapped<Entry: RawDecodable>(_ type: Entry.Type, _ policy: MappingPolicy) throws
    where Entry.Raw == Json {
        let json = try tree()
        _ = try CollectingReporter().mapping(policy: policy) { try Entry.from(raw: json) }
    }

    static let ways: [(name: String, run: @Sendable () throws -> Void)] = [
        ("lists", { _ = try tree().decode(TreeEntry.self) }),
        ("dictionaries", { _ = try text(#"{"folders":{"a":"#, "{}", "}}").decode(FolderEntry.self) }),
        ("enum cases", { _ = try text(#"{"next":{"_0":"#, #"{"end":{}}"#, "}}").decode(ChainEntry.self) }),
        ("any value", { _ = try text("[", "", "]").decode(AnyEntry.self) }),
        ("members of any value", { _ = try text(#"{"a":"#, "1", "}").decode(AnyEntry.self) }),
        ("lossy lists", { _ = try tree().decode(LossyEntry.self) }),
        ("entries", { _ = try TreeEntry.from(raw: tree()) }),
        ("entries by hand", { _ = try HandEntry.from(raw: tree()) }),
        ("strict entries", { try mapped(TreeEntry.self, .strict) }),
        ("salvaged entries", { try mapped(TreeEntry.self, .salvaging) }),
        ("entries with all errors", { try mapped(TreeEntry.self, .collectingAll()) }),
        ("salvaged entries by hand", { try mapped(HandEntry.self, .salvaging) }),
        ("equality and texts", { try compare() }),
        ("editing", { try edit() }),
        ("encoding", { try encode() }),
    ]

    static func compare() throws {
        let json = try tree()
        guard json == (try tree()), json.hashValue == (try tree()).hashValue,
            json.serialized().count == "\(json)".utf8.count
        else { throw CocoaError(.coderInvalidValue) }
    }

    static func edit() throws {
        var json = try tree()
        json["children"]?[0]?["added"] = 1
        _ = json.serialized()
    }

    static func encode() throws {
        var entry = TreeEntry(children: [])
        for _ in 0..<limit / 2 - 1 { entry = TreeEntry(children: [entry]) }
        _ = try JsonEncoder().encode(entry)
    }

    /// Runs a way on a thread of its own. Returns `value`, or what is wrong.
    static func result(of run: @escaping @Sendable () throws -> Void) -> String {
        let (results, send) = (DispatchSemaphore(value: 0), ResultBox())
        let thread = Thread {
            do {
                try run()
                send.text = "value"
            } catch {
                let text = "\(error)"
                let reason = text.range(of: "Expected (at most|fewer) .*thread's stack", options: .regularExpression)
                send.text = reason.map { String(text[$0]) } ?? "WRONG: \(text.prefix(300))"
            }
            results.signal()
        }
        thread.stackSize = 512 << 10
        thread.start()
        results.wait()
        return send.text
    }

    static func main() {
        var failures = 0
        for way in ways {
            let result = result(of: way.run)
            print("\(way.name): \(result)")
            if result.hasPrefix("WRONG") { failures += 1 }
        }
        exit(failures == 0 ? 0 : 1)
    }
}

// Sendable: the thread writes `text` before it signals the semaphore, and the caller reads it after that.
final class ResultBox: @unchecked Sendable {
    var text = ""
}
