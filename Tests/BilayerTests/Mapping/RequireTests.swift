import Bilayer
import Testing

@Suite("Optional.require")
struct RequireTests {
    @Test func aValueComesBack() throws {
        #expect(try Optional(1).require("x") == 1)
        #expect(try Optional("a").require() == "a")
    }

    @Test func aMissingValueNamesFieldTypeAndPlaceInTheCode() throws {
        let line: UInt = #line + 1
        let error = #expect(throws: MappingError.self) { try Int?.none.require("age") }
        let issue = try #require(error?.issues.first)
        #expect(issue.kind == .missing)
        #expect(issue.path == [.key("age")])
        #expect(issue.propertyName == "age")
        #expect(issue.expected == "Int")
        #expect(issue.source?.line == line)
        #expect(issue.source?.fileID == "BilayerTests/RequireTests.swift")
        #expect(issue.description.hasPrefix("$.age: missing: expected Int at RequireTests.swift:\(line) "))
    }

    @Test func withoutANameTheWholeValueIsMissing() {
        let error = #expect(throws: MappingError.self) { try String?.none.require() }
        #expect(error?.path == .root)
    }
}
