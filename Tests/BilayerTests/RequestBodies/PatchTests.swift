import Bilayer
import BilayerTesting
import Foundation
import Testing

@Suite("JSON Patch and merge patch")
struct PatchTests {
    private let transport = StubTransport(.json("{}"))

    private func patch(_ body: RouteBody) async throws -> Json {
        let client = Client(baseURL: URL("https://example.com"), transport: transport)
        _ = try await client.fetch(Route<Json>.patch("x", body: body))
        return try Json(parsing: try #require(transport.requests.last?.body?.data))
    }

    // The rows of RFC 7396, appendix A, whose patch is the difference of the two values.
    @Test(arguments: [
        (#"{"a":"b"}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
        (#"{"a":"b"}"#, #"{"a":"b","b":"c"}"#, #"{"b":"c"}"#),
        (#"{"a":"b"}"#, "{}", #"{"a":null}"#),
        (#"{"a":"b","b":"c"}"#, #"{"b":"c"}"#, #"{"a":null}"#),
        (#"{"a":["b"]}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
        (#"{"a":{"b":"c"}}"#, #"{"a":{"b":"d"}}"#, #"{"a":{"b":"d"}}"#),
        (#"["a","b"]"#, #"["c","d"]"#, #"["c","d"]"#),
        (#"{"e":null}"#, #"{"e":null,"a":1}"#, #"{"a":1}"#),
        (
            #"{"a":{"b":{"c":{"d":1,"e":[2]},"f":{}}}}"#, #"{"a":{"b":{"c":{"d":1,"e":[3]},"f":{}}}}"#,
            #"{"a":{"b":{"c":{"e":[3]}}}}"#
        ),
        (#"{"a":1}"#, #"{"a":{},"b":{"c":{}}}"#, #"{"a":{},"b":{"c":{}}}"#),
        (#"{"a":1}"#, #"{"a":1.0}"#, "{}"),
    ])
    func mergePatch(old: String, new: String, expected: String) async throws {
        let found = try await patch(.mergePatch(from: Json(parsing: old), to: Json(parsing: new)))
        #expect(found == (try Json(parsing: expected)))
    }

    @Test("a merge patch cannot set null", arguments: [#"{"a":null}"#, #"{"a":{"b":null}}"#])
    func nullInMergePatch(new: String) async throws {
        let new = try Json(parsing: new)
        let error = await #expect(throws: CallError.self) { try await patch(.mergePatch(from: [:] as Json, to: new)) }
        #expect("\(try #require(error))".contains("$.a"))
        #expect(transport.requests.isEmpty)
    }

    // RFC 6902 appendix A.1, A.2, A.3, A.4, A.5; RFC 6901 §4.
    @Test(arguments: [
        (#"{"foo":"bar"}"#, #"{"baz":"qux","foo":"bar"}"#, #"[{"op":"add","path":"/baz","value":"qux"}]"#),
        (#"{"foo":["bar","baz"]}"#, #"{"foo":["bar","qux","baz"]}"#, #"[{"op":"add","path":"/foo/1","value":"qux"}]"#),
        (#"{"baz":"qux","foo":"bar"}"#, #"{"foo":"bar"}"#, #"[{"op":"remove","path":"/baz"}]"#),
        (#"{"foo":["bar","qux","baz"]}"#, #"{"foo":["bar","baz"]}"#, #"[{"op":"remove","path":"/foo/1"}]"#),
        (#"{"baz":"qux"}"#, #"{"baz":"boo"}"#, #"[{"op":"replace","path":"/baz","value":"boo"}]"#),
        (#"{"a/b":1,"m~n":2}"#, "{}", #"[{"op":"remove","path":"/a~1b"},{"op":"remove","path":"/m~0n"}]"#),
        ("[[1,2],[3]]", "[0,[1,2],[3]]", #"[{"op":"add","path":"/0","value":0}]"#),
        ("[[0],[1,2],[3]]", "[[1,2],[3]]", #"[{"op":"remove","path":"/0"}]"#),
        (
            "[1,[2,3],4]", "[1,[2,5],6,4]",
            #"[{"op":"replace","path":"/1/1","value":5},{"op":"add","path":"/2","value":6}]"#
        ),
        (
            #"{"a":[{"b":{"c":[1,[2]],"d":3}},4]}"#, #"{"a":[{"b":{"c":[1,[5]],"d":3}},4]}"#,
            #"[{"op":"replace","path":"/a/0/b/c/1/0","value":5}]"#
        ),
        ("[]", "{}", #"[{"op":"replace","path":"","value":{}}]"#),
        (#"{"a":1}"#, #"{"a":1}"#, "[]"),
    ])
    func jsonPatch(old: String, new: String, expected: String) async throws {
        let found = try await patch(.jsonPatch(from: Json(parsing: old), to: Json(parsing: new)))
        #expect(found.description == expected)
    }

    @Test func applyingAPatchToTheOldValueGivesTheNewOne() async throws {
        for seed in 0..<300 as Range<UInt64> {
            var random = SplitMix64(seed: seed)
            let old = Self.value(&random, depth: 4, allowsNull: true)
            let new =
                seed.isMultiple(of: 2) ? Self.value(&random, depth: 4, allowsNull: true) : Self.changed(old, &random)
            let operations = try await patch(.jsonPatch(from: old, to: new))
            #expect(try Self.applied(operations, to: old) == new, "seed \(seed)")
            let set = Self.value(&random, depth: 4, allowsNull: false)
            var merged = old
            merged.merge(try await patch(.mergePatch(from: old, to: set)))
            #expect(merged == set, "seed \(seed)")
        }
    }

    private static func value(_ random: inout SplitMix64, depth: Int, allowsNull: Bool) -> Json {
        let keys = ["a", "b", "a/b", "~", "", "é", "0"]
        switch random.next(below: depth == 0 ? 4 : 7) {
        case 0: return allowsNull ? .null : 0
        case 1: return Json(random.next(below: 3))
        case 2: return Json(random.next(below: 2) == 0)
        case 3: return Json(keys[random.next(below: keys.count)])
        case 4:
            return Json(
                (0..<random.next(below: 5)).map { _ in value(&random, depth: depth - 1, allowsNull: allowsNull) }
            )
        default:
            let chosen = Set((0..<random.next(below: 6)).map { _ in keys[random.next(below: keys.count)] }).sorted()
            return Json(members: chosen.map { ($0, value(&random, depth: depth - 1, allowsNull: allowsNull)) })
        }
    }

    /// The value with a change at some of its parts.
    private static func changed(_ json: Json, _ random: inout SplitMix64) -> Json {
        if random.next(below: 4) == 0 { return value(&random, depth: 2, allowsNull: true) }
        switch json.kind {
        case .array:
            var elements = json.elements.map { changed($0, &random) }
            if random.next(below: 3) == 0 { elements.insert("new", at: random.next(below: elements.count + 1)) }
            return Json(elements)
        case .object: return Json(members: json.members.map { ($0.key, changed($0.value, &random)) })
        default: return json
        }
    }

    private struct NotApplicable: Error {}

    /// RFC 6902 §4.1, §4.2 and §4.3 (add, remove, replace), implemented separately from the library.
    private static func applied(_ operations: Json, to old: Json) throws -> Json {
        try operations.elements.reduce(old) { json, operation in
            guard let name = operation["op"]?.string, let pointer = operation["path"]?.string else {
                throw NotApplicable()
            }
            let steps = pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
                .map { step in
                    step.replacingOccurrences(of: "~1", with: "/").replacingOccurrences(of: "~0", with: "~")
                }
            return try edit(json, steps[...], name, operation["value"])
        }
    }

    private static func edit(_ json: Json, _ steps: ArraySlice<String>, _ name: String, _ value: Json?) throws -> Json {
        guard let step = steps.first else {
            guard name == "replace", let value else { throw NotApplicable() }
            return value
        }
        let isLast = steps.count == 1
        if json.kind == .array {
            var elements = Array(json.elements)
            guard let index = Int(step), index <= elements.count else { throw NotApplicable() }
            if isLast, name == "add", let value {
                elements.insert(value, at: index)
            } else {
                guard index < elements.count else { throw NotApplicable() }
                if isLast, name == "remove" {
                    elements.remove(at: index)
                } else {
                    elements[index] = try edit(elements[index], steps.dropFirst(), name, value)
                }
            }
            return Json(elements)
        }
        guard json.kind == .object else { throw NotApplicable() }
        var members = json.members.map { (key: $0.key, value: $0.value) }
        let place = members.firstIndex { $0.key == step }
        switch (place, isLast, name) {
        case (nil, true, "add"): members.append((step, value ?? .null))
        case (let place?, true, "remove"): members.remove(at: place)
        case (let place?, _, _): members[place].value = try edit(members[place].value, steps.dropFirst(), name, value)
        default: throw NotApplicable()
        }
        return Json(members: members)
    }
}
