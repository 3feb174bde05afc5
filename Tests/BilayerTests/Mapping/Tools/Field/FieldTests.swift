import Bilayer
import Foundation
import Testing

private struct Patch: Codable, RawMappable, Hashable {
    var nickname: Field<String> = .absent
    var birthday: Field<Date> = .absent
    var tags: Field<[String]> = .absent
}

private struct HandPatch: RawMappable, Hashable {
    var nickname: Field<String>
    var age: Field<Int>

    static func from(raw: Json) throws -> HandPatch {
        try HandPatch(nickname: raw.field("nickname"), age: raw.field("age"))
    }
    func toRaw() throws -> Json {
        var raw: Json = [:]
        try raw.set(nickname, forKey: "nickname")
        try raw.set(age, forKey: "age")
        return raw
    }
}

private let states: [(text: String, field: Field<String>)] = [
    ("{}", .absent), (#"{"nickname":null}"#, .null), (#"{"nickname":"Ada"}"#, .value("Ada")),
]

@Suite("Field")
struct FieldTests {
    @Test(arguments: states, AnyJsonDecoder.allCases)
    func codableKeepsAllThreeStates(state: (text: String, field: Field<String>), decoder: AnyJsonDecoder) throws {
        let patch = try decoder.decode(Patch.self, state.text)
        #expect(patch == Patch(nickname: state.field))
        #expect(try patch.foundationText == state.text)
        #expect(try Patch.from(raw: Json.of(state.text)) == patch)
        #expect(try patch.toRaw() == Json.of(state.text))
    }

    @Test(arguments: states) func byHandKeepsAllThreeStates(text: String, field: Field<String>) throws {
        let patch = try HandPatch.from(raw: Json.of(text))
        #expect(patch == HandPatch(nickname: field, age: .absent))
        #expect(try patch.toRaw() == Json.of(text))
        var json = try Json.of(#"{"nickname":"old","x":1}"#)
        try json.set(field, forKey: "nickname")
        #expect(json["x"] == 1 && (json["nickname"] == nil) == field.isAbsent)
    }

    @Test func aBrokenValueIsNeitherNullNorAbsent() throws {
        let json = try Json.of(#"[{},{"nickname":1}]"#)
        for read in [{ _ = try [Patch].from(raw: json) }, { _ = try [HandPatch].from(raw: json) }] {
            let error = #expect(throws: MappingError.self) { try read() }
            #expect(error?.path.description == "$[1].nickname")
            #expect(error?.issues.first?.kind == .wrongType)
        }
        let noObject = #expect(throws: MappingError.self) { try HandPatch.from(raw: [1]) }
        #expect(noObject?.issues.first?.kind == .wrongType)
    }

    @Test func nothingButAMemberCanBeAbsent() throws {
        #expect(try [Field<Int>].from(raw: Json.of("[null,1]")) == [.null, .value(1)])
        #expect(try JSONDecoder().decode([Field<Int>].self, from: Data("[null,1]".utf8)) == [.null, .value(1)])
        #expect(throws: EncodingError.self) { try JSONEncoder().encode([Field<Int>.absent]) }
        #expect(throws: EncodingError.self) { try Json(encoding: [Field<Int>.absent]) }
        let error = #expect(throws: MappingError.self) { try [Field<Int>.null, .absent].toRaw() }
        #expect(error?.path.description == "$[1]")
        #expect(try [Field<Int>.null, 1].toRaw() == Json.of("[null,1]"))
    }

    @Test func mergesIntoWhatIsThere() throws {
        var optional: String? = "old"
        Field<String>.absent.apply(to: &optional)
        #expect(optional == "old")
        Field("new").apply(to: &optional)
        #expect(optional == "new")
        Field<String>.null.apply(to: &optional)
        #expect(optional == nil)

        var name = "old"
        try Field<String>.absent.apply(to: &name, "name")
        #expect(name == "old")
        try Field("new").apply(to: &name, "name")
        #expect(name == "new")
        let error = #expect(throws: MappingError.self) { try Field<String>.null.apply(to: &name, "name") }
        #expect(error?.issues.first?.kind == .null && error?.path == [.key("name")])
        #expect(name == "new")
    }

    @Test func literalsAndOptionals() {
        #expect(Patch(nickname: "Ada", birthday: nil) == Patch(nickname: .value("Ada"), birthday: .null))
        #expect(Field(Int?.none) == .null && Field(7) == .value(7) && Field<Bool>.value(true) == true)
        #expect(Field<Double>.value(1.5) == 1.5 && Field(7).value == 7 && Field<Int>.absent.value == nil)
        #expect(Field(7).map { $0 + 1 } == 8 && Field<Int>.absent.map { $0 + 1 } == .absent)
    }

    @Test func modelsHaveThreeStatesToo() throws {
        #expect(try Field<Age>.from(dto: .absent) == .absent)
        #expect(try Field<Age>.from(dto: .null) == .null)
        #expect(try Field<Age>.from(dto: 7) == .value(Age(years: 7)))
        #expect(try Field(Age(years: 7)).toDTO() == 7)
        let error = #expect(throws: MappingError.self) { try Field<Age>.from(dto: .value(-1), at: "age") }
        #expect(error?.path.description == "$.age")
    }

    @Test func defaultsTellTheTwoEmptyStatesApart() {
        let mapped = mapping {
            [Field<Int>.absent, .null, 7].map { $0.default(ifMissing: 1, ifNull: 2, "limit") }
        }
        #expect(mapped.value == [1, 2, 7])
        #expect(mapped.issues.map(\.found?.type) == ["nothing", "null"])
        #expect(mapped.lines == ["info used default $.limit", "info used default $.limit"])
    }

    @Test("an optional of a field keeps the three states", arguments: ["{}", #"{"note":null}"#, #"{"note":"Ada"}"#])
    func optional(text: String) throws {
        struct Nested: Codable, RawMappable { var note: Field<String>? }
        let states: [String: Field<String>?] = [
            "{}": .none, #"{"note":null}"#: .some(.null), #"{"note":"Ada"}"#: .some(.value("Ada")),
        ]
        let expected = try #require(states[text])
        for coder in AnyJsonDecoder.allCases {
            let read = try coder.decode(Nested.self, text)
            #expect(read.note == expected, "\(coder)")
            #expect(try read.foundationText == text)
            #expect(try String(decoding: JsonEncoder().encode(read), as: UTF8.self) == text)
        }
        #expect(try JsonEncoder().encode(Nested(note: .absent)) == Data("{}".utf8))
    }

    @Test(arguments: [11, 12, 13] as [UInt64]) func anySequenceOfStatesSurvives(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        func field<Value>(_ value: Value) -> Field<Value> {
            [.absent, .null, .value(value)].randomElement(using: &random) ?? .absent
        }
        for _ in 0..<200 {
            let date = Date(timeIntervalSinceReferenceDate: Double(Int.random(in: 0...1_000_000, using: &random)))
            let patch = Patch(nickname: field("é\n"), birthday: field(date), tags: field(["a", ""]))
            #expect(try Patch.from(raw: patch.toRaw()) == patch, "seed \(seed)")
            #expect(try JSONDecoder().decode(Patch.self, from: JSONEncoder().encode(patch)) == patch, "seed \(seed)")
        }
    }
}

private struct Age: DTOConvertible, Hashable {
    let years: Int
    static func from(dto: Int) throws -> Age {
        try require(that: dto >= 0, "an age is never negative")
        return Age(years: dto)
    }
    func toDTO() -> Int { years }
}
