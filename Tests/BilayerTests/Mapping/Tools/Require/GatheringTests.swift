import Bilayer
import Testing

private struct PersonEntry: Codable, RawMappable {
    let name: String?
    let age: Int?
    let mail: String?
}

private struct Person: DTODecodable {
    let name: String
    let age: Int
    let mail: String?

    static func from(dto: PersonEntry) throws -> Person {
        let (name, age, mail) = try gathering(
            { try dto.name.require("name") },
            { try dto.age.require("age") },
            { () -> String? in
                try require(that: dto.mail?.contains("@") ?? true, "an address has an @", at: "mail")
                return dto.mail
            }
        )
        return Person(name: name, age: age, mail: mail)
    }
}

@Suite("Gathering the errors of one conversion")
struct GatheringTests {
    @Test("a policy that collects tells all, in their order, with whole paths")
    func collecting() throws {
        let json: Json = [["mail": "a"], ["name": "a", "age": 1, "mail": "a@b"], ["name": "a"]]
        let mapped = mapping(.collectingAll()) { try [Person].from(dto: [PersonEntry].from(raw: json)) }
        #expect(
            mapped.lines == [
                "error missing $[0].name", "error missing $[0].age", "error broken rule $[0].mail",
                "error missing $[2].age",
            ]
        )
        #expect(mapped.issues.allSatisfy { $0.owner == "PersonEntry -> Person" && $0.source != nil })
    }

    @Test("another policy stops at the first", arguments: [MappingPolicy.standard, .strict, .salvaging])
    func first(policy: MappingPolicy) throws {
        let mapped = mapping(policy) { try Person.from(dto: PersonEntry.from(raw: ["mail": "a"])) }
        #expect(mapped.lines == ["error missing $.name"])
    }

    @Test("values come back with their types, optionals included")
    func values() throws {
        let person = try Person.from(dto: PersonEntry(name: "Ann", age: 7, mail: nil))
        #expect(person.name == "Ann" && person.age == 7 && person.mail == nil)
    }

    @Test("a cancellation is not collected, and the limit holds")
    func limits() throws {
        let cancelled = mapping(.collectingAll()) {
            try gathering({ try PersonEntry.from(raw: [:]).name.require("name") }, { throw CancellationError() })
        }
        #expect(cancelled.error is CancellationError)
        let limited = mapping(.collectingAll(limit: 1)) { try Person.from(dto: PersonEntry.from(raw: [:])) }
        #expect(limited.lines == ["error missing $.name"])
    }
}
