import Bilayer
import Foundation
import Testing

/// An entry whose two properties have one key.
private struct ClashingName: Codable, RawMappable {
    let userURL: Int
    let userUrl: Double
}

private let clashing = ClashingName(userURL: 1, userUrl: 2)
private let unwritable = ClashingName(userURL: 1, userUrl: .nan)

/// A value that reports an issue of one of its members.
private struct Reporting: RawEncodable {
    func toRaw() throws -> Json {
        MappingIssue(.usedDefault, severity: .warning, path: [.key("count")]).report()
        return ["count": 0]
    }
}

private struct WrittenObject: JsonWritable {
    let members: @Sendable (inout JsonObjectWriter) throws -> Void

    init(_ members: @escaping @Sendable (inout JsonObjectWriter) throws -> Void) { self.members = members }

    func write(to json: inout JsonWriter) throws { try json.writeObject(members) }
}

@Suite("Issues of values that are written by hand")
struct WrittenIssuesTests {
    private struct Failure: Error {}

    private var snakeCase: CodingConventions {
        var conventions = CodingConventions()
        conventions.keys = .snakeCase
        return conventions
    }

    /// The paths of the warnings of a value that is written.
    private func paths<Value: RawEncodable>(_ value: Value) -> [String] where Value.Raw == Json {
        let written = mapping(.standard, snakeCase) { try value.toRaw() }
        #expect(written.error == nil)
        return written.issues.map(\.path.exactDescription)
    }

    @Test("warnings have the keys and indices of the writers in front")
    func places() {
        let value = WrittenObject { object in
            try object.write(clashing, forKey: "one")
            try object.write([clashing, clashing], forKey: "list")
            try object.writeIfPresent(Optional(clashing), forKey: "optional")
            try object.writeObject(forKey: "object") { try $0.write(clashing, forKey: "inside") }
            try object.writeArray(forKey: "array") { array in
                try array.append(1)
                try array.append(clashing)
                try array.appendObject { try $0.write(clashing, forKey: "inside") }
                try array.appendArray { try $0.append(clashing) }
                try array.append(WrittenObject { try $0.write(Reporting(), forKey: "inside") })
            }
        }
        let expected = [
            ".one.user_url", ".list[0].user_url", ".list[1].user_url", ".optional.user_url",
            ".object.inside.user_url", ".array[1].user_url", ".array[2].inside.user_url", ".array[3][0].user_url",
            ".array[4].inside.count",
        ]
        #expect(paths(value) == expected.map { "$" + $0 })
        #expect(paths([value, value]) == (0..<2).flatMap { index in expected.map { "$[\(index)]" + $0 } })
        let outer = WrittenObject { try $0.write(["value": [value]], forKey: "outer") }
        #expect(paths(outer) == expected.map { "$.outer.value[0]" + $0 })
    }

    @Test("what is reported between two members has the path of the object")
    func betweenMembers() {
        let value = WrittenObject { object in
            try object.write(Reporting(), forKey: "one")
            _ = try Reporting().toRaw()
            try object.write(Reporting(), forKey: "two")
        }
        #expect(paths(value) == ["$.one.count", "$.count", "$.two.count"])
        #expect(paths([value]) == ["$[0].one.count", "$[0].count", "$[0].two.count"])
    }

    @Test("members and elements that fail and are caught leave no warnings")
    func caught() {
        let value = WrittenObject { object in
            try? object.write([clashing, unwritable], forKey: "list")
            try? object.writeArray(forKey: "array") { array in
                try array.append(clashing)
                throw Failure()
            }
            try? object.writeObject(forKey: "object") { inner in
                try inner.write(clashing, forKey: "inside")
                throw Failure()
            }
            try object.writeArray(forKey: "elements") { array in
                try? array.append(WrittenObject { try $0.write([clashing, unwritable], forKey: "inside") })
                try array.append(clashing)
            }
        }
        #expect(paths(value) == ["$.elements[0].user_url"])
    }

    @Test("members that fail and are caught leave no warnings, either, if the writing fails at another place")
    func caughtBeforeAFailure() {
        let written = mapping(.standard, snakeCase) {
            try WrittenObject { object in
                try? object.write([clashing, unwritable], forKey: "list")
                throw Failure()
            }
            .toRaw()
        }
        #expect(written.lines == ["error failed $"])
    }

    @Test("warnings of members that failed take no room from those of others", arguments: [1, 10, 100])
    func caughtBeforeTheLimit(limit: Int) {
        struct Unwritten: RawEncodable {
            func toRaw() throws -> Json {
                _ = try Reporting().toRaw()
                throw Failure()
            }
        }
        var policy = MappingPolicy.standard
        policy.issueLimit = limit
        let written = mapping(policy) {
            try Json.array { array in
                for _ in 0..<150 { try? array.append(Unwritten()) }
                try array.append(Reporting())
            }
        }
        #expect(written.issues.map(\.path.description) == ["$[0].count"])
    }

    private struct Instead: JsonWritable {
        func write(to json: inout JsonWriter) throws {
            _ = try Reporting().toRaw()
            do {
                try json.writeObject { object in
                    try object.write(clashing, forKey: "inside")
                    throw Failure()
                }
            } catch {
                json.write("instead")
            }
        }
    }

    @Test("an object that fails and is replaced leaves no warnings")
    func replaced() {
        #expect(paths(Instead()) == ["$.count"])
        #expect(paths([Instead()]) == ["$[0].count"])
    }

    @Test("an error that is not caught comes with the warnings before it")
    func notCaught() {
        let written = mapping(.standard, snakeCase) {
            try WrittenObject { object in
                try object.write(clashing, forKey: "good")
                try object.write([clashing, unwritable], forKey: "list")
            }
            .toRaw()
        }
        #expect(
            written.lines == [
                "error invalid value $.list[1].user_url", "warning key clash $.good.user_url",
                "warning key clash $.list[0].user_url",
            ]
        )
    }
}
