import Bilayer
import Foundation
import Testing

private enum Colour: String, Codable { case red, green }
private enum NoTags: DefaultProvider { static let defaults = Defaults(ifMissing: [String](), ifInvalid: []) }

private struct Inner: Codable {
    let code: Int
    let colour: Colour?
    let sizes: [Int]?
}

private struct Middle: Codable {
    let inner: Inner
    @Default<NoTags> var tags: [String]
}

private struct Outer: Codable, RawMappable {
    let middle: Middle
    let byName: [String: Inner]?
    let maybe: [Inner?]?
    @Lossy var lossy: [Middle]?
}

private enum TravelClass: String, OpenEnum { case first, second }

private struct Leg: Codable { let `class`: Open<TravelClass> }

private struct Trip: Codable {
    let `class`: Open<TravelClass>
    let legs: [Leg]
}

private struct Booking: Codable, RawMappable {
    var `class` = Open<TravelClass>.unknown("third")
    let trip: Trip
    let price: Int?
    let seats: Int
}

private let trip = #"{"class":"third","legs":[{"class":"first"},{"class":"third"}]},"class":"third""#

private struct Card: Codable, RawMappable { let last4: String }

private struct Wallet: Codable, RawMappable {
    enum Side: String, Codable { case left, right }
    let main: Field<Card>?
    let cards: [Card?]
    let either: Either<[Int], Card>
    let numbers: Field<[Int]>
    let sides: [Side: Int]
    @Lossy var rest: [Card]
}

private struct CardList: Codable, RawMappable { let cards: [Card] }
private struct CardMap: Codable, RawMappable { let cards: [String: Card] }

@Suite("The owner of an issue is the type that declares the field")
struct OwnersOfIssuesTests {
    @Test("an element that is left out has the same owner wherever its entry is", arguments: [0, 1, 2])
    func ownerOfElement(index: Int) throws {
        func key<Entry: RawMappable>(_ type: Entry.Type, good: String, bad: String) throws -> [String]
        where Entry.Raw == Json {
            let texts = Array(repeating: good, count: index) + [bad]
            let json = try Json.of("[" + texts.joined(separator: ",") + "]")
            return mapping(.salvaging) { try [Entry].from(raw: json) }.issues.map { $0.owner ?? "none" }
        }
        let list = try key(CardList.self, good: #"{"cards":[]}"#, bad: #"{"cards":[1,{"last4":"1234"}]}"#)
        #expect(list.count == 1 && list[0].hasSuffix("CardList"))
        let map = try key(CardMap.self, good: #"{"cards":{}}"#, bad: #"{"cards":{"a":1,"b":{"last4":"1234"}}}"#)
        #expect(map.count == 1 && map[0].hasSuffix("CardMap"))
    }

    private func owners(_ text: String, _ policy: MappingPolicy, snakeCase: Bool = false) throws -> [String] {
        let json = try Json(parsing: text)
        var conventions = CodingConventions()
        if snakeCase { conventions.keys = .snakeCase }
        let mapped = mapping(policy, conventions) { try Outer.from(raw: json) }
        func line(_ issue: MappingIssue) -> String { "\(issue.path.exactDescription) \(issue.owner ?? "-")" }
        return mapped.issues.map { ([$0] + $0.causes).map(line).joined(separator: ", ") }
    }

    private static let good = #"{"inner":{"code":1},"tags":[]}"#

    @Test("of the first of two bad members in the text")
    func members() throws {
        let text = #"{"middle":\#(Self.good),"byName":{"z":{"code":"x"},"a":{"code":"y"}}}"#
        #expect(try owners(text, .standard) == ["$.byName.z.code Inner"])
        let error = try #require(throws: MappingError.self) { try Outer.from(raw: Json(parsing: text)) }
        #expect(error.issues.first?.owner == "Inner")
    }

    @Test("of what is around a value, never a type of the library or of the language")
    func around() throws {
        let card = #"{"last4":"1","zz":1}"#
        let good = #""main":\#(card),"cards":[null,\#(card)],"either":\#(card)"#
        let unknown = try Json(parsing: #"{\#(good),"numbers":[],"sides":[],"rest":[\#(card),7]}"#)
        let bad = try Json(parsing: #"{\#(good),"numbers":["x"],"sides":["up",1],"rest":[]}"#)
        for var policy in [MappingPolicy.standard, .salvaging, .collectingAll()] {
            policy.unknownKeys = policy.collectsAll ? .fail : .report
            let mapped = mapping(policy) { try Wallet.from(raw: unknown) }
            #expect(mapped.issues.filter { $0.kind == .unknownKey }.count == 4)
            for issue in mapped.issues { #expect(issue.owner == (issue.kind == .unknownKey ? "Card" : "Wallet")) }
        }
        let errors = mapping(.collectingAll()) { try Wallet.from(raw: bad) }.issues
        #expect(errors.map(\.path.description) == ["$.numbers[0]", "$.sides[0]"])
        #expect(errors.allSatisfy { $0.owner == "Wallet" })
    }

    @Test("of a lossy list of which nothing is left")
    func lossyLists() throws {
        struct Page: Codable, RawMappable {
            struct Part: Codable { @Lossy var items: [Int] }
            let part: Part
        }
        let json = try Json(parsing: #"{"part":{"items":["x"]}}"#)
        for policy in [MappingPolicy.standard, .salvaging] {
            let owner = mapping(policy) { try Page.from(raw: json) }.issues.first?.owner
            #expect(owner?.hasSuffix("Part") == true)
        }
    }

    @Test(
        "of what is left out, through required fields, too",
        arguments: [
            (
                #"{"middle":\#(good),"lossy":[\#(good),{"inner":{"code":"x"},"tags":[]}]}"#,
                ["$.lossy[1] Middle, $.lossy[1].inner.code Inner"]
            ),
            (
                #"{"middle":{"inner":{"code":1,"sizes":[1,"x"]},"tags":[]}}"#,
                ["$.middle.inner.sizes[1] Inner, $.middle.inner.sizes[1] Inner"]
            ),
            (
                #"{"middle":\#(good),"byName":{"a":{"code":1,"colour":7}}}"#,
                ["$.byName.a.colour Inner, $.byName.a.colour Inner"]
            ),
            (#"{"middle":\#(good),"maybe":[null,7,{"code":1}]}"#, ["$.maybe[1] Outer, $.maybe[1] Outer"]),
            (#"{"middle":{"inner":{},"tags":[]}}"#, ["$.middle.inner.code Inner"]),
        ]
    )
    func salvaged(text: String, expected: [String]) throws {
        #expect(try owners(text, .salvaging) == expected)
        var checking = MappingPolicy.salvaging
        checking.unknownKeys = .report
        #expect(try owners(text, checking) == expected)
    }

    @Test("of the cause of an optional whose key has another name in the JSON")
    func namedKeys() throws {
        struct Page: Codable, RawMappable { let mainColour: Colour? }
        var conventions = CodingConventions()
        conventions.keys = .snakeCase
        let json = try Json(parsing: #"{"main_colour":7}"#)
        let issue = mapping(.salvaging, conventions) { try Page.from(raw: json) }.issues.first
        #expect(issue?.path.description == "$.main_colour")
        #expect(issue?.causes.first?.owner?.hasSuffix("Page") == true)
    }

    @Test("of a default in an entry that is no element")
    func defaults() throws {
        #expect(
            try owners(#"{"middle":{"inner":{"code":1},"tags":[7]}}"#, .standard) == [
                "$.middle.tags Middle, $.middle.tags[0] Middle"
            ]
        )
    }

    @Test(
        "under each policy, whether or not the rest of the response is good",
        arguments: [
            (#"{"trip":\#(trip),"seats":1}"#, true), (#"{"trip":\#(trip),"seats":"x"}"#, false),
            (#"{"trip":\#(trip),"seats":1,"price":"x"}"#, true),
        ]
    )
    func everyPolicy(text: String, isReadInPart: Bool) throws {
        let json = try Json(parsing: text)
        let expected: Set = ["$.trip.class Trip", "$.trip.legs[].class Leg", "$.class Booking"]
        for unknownKeys in [MappingPolicy.UnknownKeys.ignore, .report] {
            for var policy in [MappingPolicy.standard, .salvaging, .collectingAll()] {
                policy.unknownKeys = unknownKeys
                let one = mapping(policy) { try Booking.from(raw: json) }.issues.filter { $0.kind == .unknownCase }
                #expect(Set(one.map(\.groupingKey)) == Set(expected.map { "unknown value \($0)" }))
                let list = mapping(policy) { try [Booking].from(raw: [json, json]) }.issues
                let keys = list.filter { $0.kind == .unknownCase }.map { $0.groupingKey.replacing("$[]", with: "$") }
                // Issues in an element that is left out are not reported.
                let told = policy.salvages && !isReadInPart ? [] : expected
                #expect(Set(keys) == Set(told.map { "unknown value \($0)" }), "\(policy)")
            }
        }
    }
}
