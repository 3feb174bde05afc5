import Foundation
import Testing

@testable import Bilayer

private enum RefusedClashDefault: DefaultProvider { static let defaults = Defaults<Int>(ifMissing: 0) }

@Suite("A strict policy refuses keys that clash, however many issues were reported before")
struct RefusedClashTests {
    private struct UserEntry: Codable, RawMappable {
        let userName: Int
        @Default<RefusedClashDefault> var age: Int
    }

    private struct WrittenUser: Codable, RawMappable {
        let userName: Int
        let otherName: Int
        enum CodingKeys: String, CodingKey {
            case userName
            case otherName = "user_name"
        }
    }

    private struct User: DTOEncodable {
        let age: Int?
        func toDTO() throws -> WrittenUser { WrittenUser(userName: age.default(3, "age"), otherName: 2) }
    }

    private var conventions: CodingConventions {
        var conventions = CodingConventions()
        conventions.keys = .snakeCase
        return conventions
    }

    private func policy(limit: Int) -> MappingPolicy {
        var policy = MappingPolicy.strict
        policy.unknownKeys = .ignore
        policy.issueLimit = limit
        return policy
    }

    @Test("of an entry that is read", arguments: [1, 2, 3, 100])
    func reading(limit: Int) throws {
        let good = Array(repeating: #"{"user_name":1}"#, count: 2)
        let raw = try Json.of("[" + (good + [#"{"user_name":1,"userName":2,"age":1}"#]).joined(separator: ",") + "]")
        let mapped = mapping(policy(limit: limit), conventions) { try [UserEntry].from(raw: raw) }
        let issue = (mapped.error as? MappingError)?.issues.first
        #expect(mapped.value == nil)
        #expect(issue?.kind == .keyClash && issue?.severity == .error)
        #expect(issue?.path.exactDescription == "$[2].user_name" && issue?.owner?.hasSuffix("UserEntry") == true)
    }

    @Test("of a model that is written", arguments: [1, 101])
    func writing(count: Int) {
        let mapped = mapping(.strict, conventions) {
            try Array(repeating: User(age: nil), count: count).toDTO().toRaw()
        }
        #expect(mapped.value == nil)
        #expect((mapped.error as? MappingError)?.issues.first?.kind == .keyClash)
    }

    @Test("and each once, beyond the limit and within it", arguments: [1, 2, 3, 100])
    func eachOnce(limit: Int) {
        let log = IssueLog(policy: policy(limit: limit))
        for name in ["a", "b", "a", "c", "b"] {
            log.add(MappingIssue(.keyClash, severity: .warning, path: [.key(name)]))
        }
        let error = #expect(throws: MappingError.self) { try log.settleClashes(since: .start) }
        #expect(error?.issues.map(\.path.exactDescription) == ["$.a", "$.b", "$.c"])
        #expect(throws: Never.self) { try log.settleClashes(since: .start) }
        let left = log.takeIssues()
        #expect(left.issues.isEmpty && left.omitted == 0)
    }

    @Test("only those that were reported since a mark, and are neither removed nor of a value that failed")
    func marks() {
        let log = IssueLog(policy: policy(limit: 1))
        log.add(MappingIssue(.usedDefault, severity: .info))
        let clash = MappingIssue(.keyClash, severity: .warning, path: [.key("user_name")])
        let start = log.mark
        log.add(clash)
        let end = log.mark
        #expect(log.takeOmittedClashes(since: end).isEmpty)
        log.prefix(since: start, by: .index(1))
        #expect(log.takeOmittedClashes(since: start).first?.path.exactDescription == "$[1].user_name")
        #expect(log.takeOmittedClashes(since: start).isEmpty)
        log.add(clash)
        log.remove(since: end)
        log.add(MappingIssue(.usedDefault, severity: .info))
        #expect(log.takeOmittedClashes(since: end).isEmpty)
        log.add(clash)
        log.setAside(since: end, failedBy: CancellationError())
        #expect(log.takeOmittedClashes(since: end).isEmpty)
        log.add(clash)
        let part = log.take(since: end)
        #expect(log.takeOmittedClashes(since: end).isEmpty)
        log.add(part)
        #expect(log.takeOmittedClashes(since: end).count == 1)
        log.add(clash)
        _ = log.takeIssues()
        #expect(log.takeOmittedClashes(since: .start).isEmpty)
    }

    @Test func aPolicyThatAcceptsClashesKeepsNoneBeyondTheLimit() {
        var policy = MappingPolicy.standard
        policy.issueLimit = 1
        let log = IssueLog(policy: policy)
        log.add(MappingIssue(.usedDefault, severity: .info))
        log.add(MappingIssue(.keyClash, severity: .warning))
        #expect(log.takeOmittedClashes(since: .start).isEmpty)
    }
}
