import Foundation
import Testing

@testable import Bilayer

/// What a report says of a `DecodingError` that is not ours.
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
            (try issue([Rank].self, #"["secret value 4711"]"#), "Rank from invalid String"),
            (try issue([Number].self, "[4711]"), "Number from invalid Int"),
        ] {
            #expect(issue.kind == .invalidValue)
            #expect(issue.path == JsonPath([.index(0)]))
            #expect(issue.detail == "Cannot initialize \(name) value.")
            #expect(!"\(issue)".contains("secret") && !"\(issue)".contains("4711"))
        }
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
