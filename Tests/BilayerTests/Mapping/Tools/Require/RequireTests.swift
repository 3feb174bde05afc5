import Bilayer
import Testing

private struct City: Sendable {
    var name: String?
    var zipCode: Int?
}

private struct Fragment: Sendable {
    var id: String?
    var total = 0
    var city: City?
    var cities: [City] = []
}

private struct Trip: DTODecodable {
    let city: String

    static func from(dto: Fragment) throws -> Trip {
        try require(that: dto.total >= 0, "a total is never negative", at: "total", key: "ttl")
        return try Trip(city: require(\.city?.name, of: dto))
    }
}

@Suite("require")
struct RequireTests {
    @Test func aValueComesBack() throws {
        #expect(try Optional(1).require("x") == 1)
        #expect(try Optional("a").require() == "a")
        #expect(try require(\.city?.name, of: Fragment(city: City(name: "Oslo"))) == "Oslo")
        try require(that: true, "never thrown")
    }

    @Test func aMissingValueNamesFieldTypeAndPlaceInTheCode() throws {
        let line: UInt = #line + 1
        let error = #expect(throws: MappingError.self) { try Int?.none.require("age") }
        let issue = try #require(error?.issues.first)
        #expect(issue.kind == .missing)
        #expect(issue.path == [.key("age")])
        #expect(issue.propertyName == "age")
        #expect(issue.jsonKey == nil)
        #expect(issue.expected == "Int")
        #expect(issue.source?.line == line)
        #expect(issue.source?.fileID == "BilayerTests/RequireTests.swift")
        #expect(issue.description.hasPrefix("$.age: missing: expected Int at RequireTests.swift:\(line) "))
    }

    @Test func withoutANameTheWholeValueIsMissing() {
        let error = #expect(throws: MappingError.self) { try String?.none.require() }
        #expect(error?.path == .root)
    }

    @Test(
        arguments: [
            ("name", nil, "$.name", "name", nil),
            ("city.name", nil, "$.city.name", "name", nil),
            ("name", "nm", "$.nm", "name", "nm"),
            ("city.name", "ct.nm", "$.ct.nm", "city.name", "ct.nm"),
            (#"["odd key"]"#, nil, #"$["odd key"]"#, "odd key", nil),
            ("a]", nil, #"$["a]"]"#, "a]", nil),
        ] as [(String, String?, String, String, String?)]
    )
    func namesAndKeysBecomeThePath(name: String, key: String?, path: String, property: String, jsonKey: String?) {
        let issue = #expect(throws: MappingError.self) { try Int?.none.require(name, key: key) }?.issues.first
        #expect(issue?.path.description == path)
        #expect(issue?.propertyName == property)
        #expect(issue?.jsonKey == jsonKey)
    }

    @Test func theTextHasBothNamesWhereTheyDiffer() {
        let issue = #expect(throws: MappingError.self) { try Int?.none.require("name", key: "nm") }?.issues.first
        #expect(issue?.description.contains("$.nm: missing: expected Int (property name)") == true)
    }

    @Test func aKeyPathSpellsItsNames() {
        func path(_ field: KeyPath<Fragment, String?>, key: String? = nil) -> String? {
            (#expect(throws: MappingError.self) { try require(field, of: Fragment(cities: [City()]), key: key) })?
                .path.description
        }
        #expect(path(\.id) == "$.id")
        #expect(path(\.city?.name) == "$.city.name")
        #expect(path(\.city?.name, key: "place.nm") == "$.place.nm")
        #expect(path(\.cities[0].name) == "$", "a subscript has no name that can be trusted")
    }

    @Test func aBrokenRuleSaysWhichAndWhere() throws {
        let line: UInt = #line + 1
        let error = #expect(throws: MappingError.self) { try require(that: 1 > 2, "one is more than two", at: "count") }
        let issue = try #require(error?.issues.first)
        #expect(issue.kind == .brokenRule)
        #expect(issue.path == [.key("count")])
        #expect(issue.detail == "one is more than two")
        #expect(issue.source?.line == line)
        #expect(
            issue.description.hasPrefix("$.count: broken rule: one is more than two at RequireTests.swift:\(line) ")
        )
    }

    @Test func pathsContinueThroughArraysAndOptionals() {
        let missing = #expect(throws: MappingError.self) {
            try [String: [Trip?]].from(dto: ["a": [nil, Fragment(city: City())]], at: "trips")
        }
        #expect(missing?.path.exactDescription == "$.trips.a[1].city.name")
        #expect(missing?.issues.first?.owner == "Fragment -> Trip")
        let broken = #expect(throws: MappingError.self) { try [Trip].from(dto: [Fragment(total: -1)]) }
        #expect(broken?.path.description == "$[0].ttl")
        #expect(broken?.issues.first?.propertyName == "total")
    }
}
