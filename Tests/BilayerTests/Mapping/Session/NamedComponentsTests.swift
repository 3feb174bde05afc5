import Testing

@testable import Bilayer

@Suite("Keys of the JSON in long paths")
struct NamedComponentsTests {
    /// With a look-up of each component, this would take 100,000,000 look-ups.
    @Test("components that are already keys of the JSON are not looked up again", .timeLimit(.minutes(5)))
    func namedComponents() {
        let depth = 10_000
        var json: Json = 7
        for _ in 0..<depth { json = ["first_name": json] }
        var issue = MappingIssue(.missing, path: JsonPath(Array(repeating: .key("first_name"), count: depth - 1)))
        issue.namedComponents = depth - 1
        issue.prefix(by: [.key("firstName")])
        for _ in 0..<10_000 { issue.nameKeys(by: .snakeCase, in: json) }
        #expect(issue.localPath == JsonPath(Array(repeating: .key("first_name"), count: depth)))
        #expect(issue.namedComponents == depth)
    }
}
