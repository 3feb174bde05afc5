import BilayerTesting
import Foundation
import Testing

@testable import Bilayer

private enum Shipment: String, OpenEnum { case sent, arrived }

/// Reports an unknown state, and fails at a bad weight.
private struct Parcel: Codable, RawMappable, Sendable {
    let state: Open<Shipment>
    let weight: Int
}

private let good = #"{"state":"lost","weight":1}"#
private let bad = #"{"state":"lost","weight":"x"}"#

/// An entry that discards the error of its parcel, and then reads another member.
private struct TriedParcel: Codable, RawMappable, Sendable {
    let parcel: Parcel?
    let number: Int

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        parcel = try? container.decode(Parcel.self, forKey: .parcel)
        number = try container.decode(Int.self, forKey: .number)
    }
}

private struct TriedByHand: DecodableByHand {
    let parcel: Parcel?
    let number: Int

    static func from(raw: Json) throws -> TriedByHand {
        try TriedByHand(parcel: try? raw.decode("parcel") as Parcel, number: raw.decode("number"))
    }
}

private struct ReadByHandDirectly: DecodableByHand {
    let parcel: Parcel?
    let number: Int

    static func from(raw: Json) throws -> ReadByHandDirectly {
        try ReadByHandDirectly(parcel: try? Parcel.from(raw: raw["parcel"] ?? .null), number: raw.decode("number"))
    }
}

private struct Deliveries<Item: Decodable & Sendable>: Decodable, RawDecodable, Sendable {
    let items: [Item]
    let total: Int
}

/// One of two types, which both report the same member.
private enum ParcelOrLetter: Decodable {
    case parcel(Parcel)
    case letter(Letter)

    struct Letter: Codable, RawMappable {
        let state: Open<Shipment>
        let stamps: Int
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let parcel = try? container.decode(Parcel.self) {
            self = .parcel(parcel)
        } else {
            self = .letter(try container.decode(Letter.self))
        }
    }
}

private struct Post: Decodable, RawDecodable {
    let item: ParcelOrLetter
    let number: Int
}

private class BaseParcel: Decodable {
    let state: Open<Shipment>

    private enum Keys: CodingKey { case state }

    required init(from decoder: any Decoder) throws {
        state = try decoder.container(keyedBy: Keys.self).decode(Open<Shipment>.self, forKey: .state)
    }
}

private final class HeavyParcel: BaseParcel {
    private enum Keys: CodingKey { case state }

    required init(from decoder: any Decoder) throws {
        _ = try decoder.container(keyedBy: Keys.self).decode(Open<Shipment>.self, forKey: .state)
        try super.init(from: decoder)
    }
}

private struct HeavyPost: Decodable, RawDecodable {
    let item: HeavyParcel
    let number: Int
}

/// An entry by hand, whose keys no naming converts.
private struct CrateByHand: DecodableByHand {
    let state: Open<Shipment>
    let grossWeight: Int

    static func from(raw: Json) throws -> CrateByHand {
        try CrateByHand(state: raw.decode("state"), grossWeight: raw.decode("grossWeight"))
    }
}

private struct HandDepot: Decodable, RawDecodable { let mainCrate: CrateByHand }

/// Reports an unknown state, and then fails at its own path.
private struct CheckedParcel: Decodable {
    let state: Open<Shipment>

    private enum Keys: CodingKey { case state }

    init(from decoder: any Decoder) throws {
        state = try decoder.container(keyedBy: Keys.self).decode(Open<Shipment>.self, forKey: .state)
        throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "found no seal"))
    }
}

/// Discards the error of its parcel, and fails at the same path for another reason: the parcel is no number, either.
private struct SealedPost: Decodable, RawDecodable {
    private enum Keys: CodingKey { case parcel }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        if (try? container.decode(CheckedParcel.self, forKey: .parcel)) == nil {
            _ = try container.decode(Int.self, forKey: .parcel)
        }
    }
}

private let policies = [MappingPolicy.standard, .salvaging, .collectingAll()]

@Suite("The warnings of a value that failed, and whose error code has discarded")
struct DiscardedValuesTests {
    private func lines<Value: RawDecodable>(
        _ type: Value.Type,
        _ text: String,
        _ policy: MappingPolicy,
        _ conventions: CodingConventions = CodingConventions()
    ) throws -> [String] where Value.Raw == Json {
        let json = try Json.of(text)
        return mapping(policy, conventions) { try Value.from(raw: json) }.lines
    }

    @Test("are in no report, also if the mapping fails at another place", arguments: policies)
    func failingElsewhere(policy: MappingPolicy) throws {
        let tried = #"{"parcel":\#(bad),"number":1}"#
        let failing = #"{"parcel":\#(bad),"number":"x"}"#
        #expect(try lines(TriedParcel.self, tried, policy) == [])
        #expect(try lines(TriedParcel.self, failing, policy) == ["error wrong type $.number"])
        #expect(try lines(TriedByHand.self, failing, policy) == ["error wrong type $.number"])
        #expect(try lines(ReadByHandDirectly.self, failing, policy) == ["error wrong type $.number"])
        let list = #"{"items":[\#(tried),{"parcel":null,"number":1}],"total":"x"}"#
        #expect(try lines(Deliveries<TriedParcel>.self, list, policy) == ["error wrong type $.total"])
    }

    @Test("by hand are in no report, either", arguments: [MappingPolicy.standard, .collectingAll()])
    func byHandInEntry(policy: MappingPolicy) throws {
        let list = #"{"items":[{"parcel":\#(bad),"number":1}],"total":"x"}"#
        #expect(try lines(Deliveries<TriedByHand>.self, list, policy) == ["error wrong type $.total"])
        #expect(try lines(Deliveries<ReadByHandDirectly>.self, list, policy) == ["error wrong type $.total"])
    }

    @Test("stay in the report if the error ends the mapping, with the names of the JSON", arguments: policies)
    func endingTheMapping(policy: MappingPolicy) throws {
        struct Depot: Codable, RawMappable, Sendable {
            struct Shelf: Codable, Sendable { let firstParcel: Crate }
            struct Crate: Codable, Sendable {
                let lastState: Open<Shipment>
                let grossWeight: Int
            }
            let mainShelf: Shelf
        }
        var conventions = CodingConventions()
        conventions.keys = .snakeCase
        let text = #"{"main_shelf":{"first_parcel":{"last_state":"lost","gross_weight":"x"}}}"#
        let expected = [
            "error wrong type $.main_shelf.first_parcel.gross_weight",
            "warning unknown value $.main_shelf.first_parcel.last_state",
        ]
        #expect(try lines(Depot.self, text, policy, conventions) == expected)
        if policy.leavesNothingOut {
            let inList = expected.map { $0.replacingOccurrences(of: "$", with: "$[0]") }
            #expect(try lines([Depot].self, "[\(text)]", policy, conventions) == inList)
        }
    }

    @Test("are in no report, also if the mapping fails at the same place for another reason", arguments: policies)
    func failingAtTheSamePlace(policy: MappingPolicy) throws {
        let found = try lines(SealedPost.self, #"{"parcel":{"state":"lost"}}"#, policy)
        #expect(found == ["error wrong type $.parcel"])
    }

    @Test(
        "stay in the report if an entry by hand ends the mapping, whose keys are those of the JSON",
        arguments: policies
    )
    func endingByHand(policy: MappingPolicy) throws {
        var conventions = CodingConventions()
        conventions.keys = .snakeCase
        let found = try lines(HandDepot.self, #"{"main_crate":{"state":"lost"}}"#, policy, conventions)
        #expect(found == ["error missing $.main_crate.grossWeight", "warning unknown value $.main_crate.state"])
    }

    @Test("stay in the report of a list that fails with the error")
    func amongElements() throws {
        struct Cart: Decodable, RawDecodable { let parcels: [Parcel] }
        let list = #"[{"parcels":[\#(good)]},{"parcels":[\#(good),\#(bad)]}]"#
        let warnings = ["$[0].parcels[0]", "$[1].parcels[0]", "$[1].parcels[1]"]
            .map { "warning unknown value \($0).state" }
        for policy in [MappingPolicy.standard, .collectingAll()] {
            #expect(try lines([Cart].self, list, policy) == ["error wrong type $[1].parcels[1].weight"] + warnings)
        }
    }

    @Test("of one alternative are not added to those of the other", arguments: policies)
    func alternatives(policy: MappingPolicy) throws {
        let letter = #"{"state":"lost","stamps":1}"#
        let warning = "warning unknown value $.item.state"
        #expect(try lines(Post.self, #"{"item":\#(letter),"number":1}"#, policy) == [warning])
        let failing = try lines(Post.self, #"{"item":\#(letter),"number":"x"}"#, policy)
        #expect(failing == ["error wrong type $.number", warning])
    }

    @Test(
        "a value that a class and its superclass read is reported once, also if the mapping fails",
        arguments: policies
    )
    func superclasses(policy: MappingPolicy) throws {
        let failing = try lines(HeavyPost.self, #"{"item":{"state":"lost"},"number":"x"}"#, policy)
        #expect(failing == ["error wrong type $.number", "warning unknown value $.item.state"])
    }

    @Test("take no room from the others", arguments: [MappingPolicy.standard, .collectingAll()])
    func limit(policy: MappingPolicy) throws {
        struct Fleet: Decodable, RawDecodable {
            let parcels: [Parcel]
            let last: Parcel
            enum CodingKeys: CodingKey { case parcels, last }
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                parcels = (try? container.decode([Parcel].self, forKey: .parcels)) ?? []
                last = try container.decode(Parcel.self, forKey: .last)
            }
        }
        let list = (Array(repeating: good, count: 200) + [bad]).joined(separator: ",")
        let json = try Json.of(#"{"parcels":[\#(list)],"last":\#(bad)}"#)
        let reporter = CollectingReporter()
        #expect(throws: MappingError.self) { try reporter.mapping(policy: policy) { try Fleet.from(raw: json) } }
        let report = try #require(reporter.reports.first)
        #expect(report.issues.map(\.path.description) == ["$.last.weight", "$.last.state"])
        #expect(report.omittedIssueCount == 0)
    }

    @Test("take no room from the error that ends the mapping, however many there are", arguments: [1, 100])
    func limitOfLast(limit: Int) throws {
        struct Fleet: Decodable, RawDecodable {
            enum CodingKeys: CodingKey { case parcels, last }
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                var list = try container.nestedUnkeyedContainer(forKey: .parcels)
                while !list.isAtEnd {
                    if (try? list.decode(Parcel.self)) == nil { _ = try list.decode(Json.self) }
                }
                _ = try container.decode(Parcel.self, forKey: .last)
            }
        }
        let list = Array(repeating: bad, count: 250).joined(separator: ",")
        let json = try Json.of(#"{"parcels":[\#(list)],"last":\#(bad)}"#)
        var policy = MappingPolicy.standard
        policy.issueLimit = limit
        let reporter = CollectingReporter()
        #expect(throws: MappingError.self) { try reporter.mapping(policy: policy) { try Fleet.from(raw: json) } }
        let report = try #require(reporter.reports.first)
        #expect(report.issues.map(\.path.description) == ["$.last.weight", "$.last.state"].prefix(limit).map(\.self))
        #expect(report.omittedIssueCount == 2 - report.issues.count)
    }

    @Test("stay in the report if code throws the error after it has tried another type", arguments: policies)
    func rethrown(policy: MappingPolicy) throws {
        struct Rethrowing: Decodable, RawDecodable {
            enum CodingKeys: CodingKey { case item }
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                do {
                    _ = try container.decode(Parcel.self, forKey: .item)
                } catch {
                    if (try? container.decode(ParcelOrLetter.Letter.self, forKey: .item)) == nil { throw error }
                }
            }
        }
        struct RethrowingByHand: RawDecodable {
            static func from(raw: Json) throws -> RethrowingByHand {
                do {
                    _ = try raw.decode("item") as Parcel
                } catch {
                    if (try? raw.decode("item") as ParcelOrLetter.Letter) == nil { throw error }
                }
                return RethrowingByHand()
            }
        }
        let expected = ["error wrong type $.item.weight", "warning unknown value $.item.state"]
        #expect(try lines(Rethrowing.self, #"{"item":\#(bad)}"#, policy) == expected)
        #expect(try lines(RethrowingByHand.self, #"{"item":\#(bad)}"#, policy) == expected)
    }

    @Test("stay if the error is thrown after many other values have discarded theirs", arguments: policies)
    func rethrownLate(policy: MappingPolicy) throws {
        struct Late: Decodable, RawDecodable {
            enum CodingKeys: CodingKey { case item, rest }
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                do {
                    _ = try container.decode(Parcel.self, forKey: .item)
                } catch {
                    _ = try container.decode([TriedParcel].self, forKey: .rest)
                    throw error
                }
            }
        }
        let rest = Array(repeating: #"{"parcel":\#(bad),"number":1}"#, count: 60).joined(separator: ",")
        let found = try lines(Late.self, #"{"item":\#(bad),"rest":[\#(rest)]}"#, policy)
        #expect(found == ["error wrong type $.item.weight", "warning unknown value $.item.state"])
    }

    @Test("are in no report if the next type fails at the same place, without warnings", arguments: policies)
    func commonField(policy: MappingPolicy) throws {
        struct Old: Codable, RawMappable {
            let state: Open<Shipment>
            let id: Int
        }
        struct New: Codable, RawMappable { let id: Int }
        struct OldOrNew: Decodable, RawDecodable {
            enum CodingKeys: CodingKey { case item }
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                if (try? container.decode(Old.self, forKey: .item)) != nil { return }
                _ = try container.decode(New.self, forKey: .item)
            }
        }
        struct ByHand: RawDecodable {
            static func from(raw: Json) throws -> ByHand {
                if (try? raw.decode("item") as Old) == nil { _ = try raw.decode("item") as New }
                return ByHand()
            }
        }
        let text = #"{"item":{"state":"lost","id":"x"}}"#
        #expect(try lines(OldOrNew.self, text, policy) == ["error wrong type $.item.id"])
        #expect(try lines(ByHand.self, text, policy) == ["error wrong type $.item.id"])
    }

    @Test("stay if the error is that of the first type of an `Either`", arguments: policies)
    func firstOfEither(policy: MappingPolicy) throws {
        struct Box: Decodable, RawDecodable { let item: Either<Parcel, Int> }
        struct ByHand: RawDecodable {
            static func from(raw: Json) throws -> ByHand {
                _ = try raw.decode("item") as Either<Parcel, Int>
                return ByHand()
            }
        }
        let expected = ["error wrong type $.item.weight", "warning unknown value $.item.state"]
        #expect(try lines(Box.self, #"{"item":\#(bad)}"#, policy) == expected)
        #expect(try lines(ByHand.self, #"{"item":\#(bad)}"#, policy) == expected)
    }

    @Test("stay if a `null` is no value of a type that chooses by itself", arguments: policies)
    func nullOfUnion(policy: MappingPolicy) throws {
        enum Number: Decodable {
            case integer(Int)
            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                guard let integer = try? container.decode(Int.self) else {
                    let context = DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "no number")
                    throw DecodingError.typeMismatch(Number.self, context)
                }
                self = .integer(integer)
            }
        }
        struct Order: Decodable, RawDecodable {
            let state: Open<Shipment>
            let number: Number
        }
        let found = try lines(Order.self, #"{"state":"lost","number":null}"#, policy)
        #expect(found == ["error null $.number", "warning unknown value $.state"])
    }

    private struct Refusal: Error { let text: String }

    @Test("are in no report if another error of the same type is thrown", arguments: policies)
    func foreign(policy: MappingPolicy) throws {
        struct Inner: Decodable {
            enum CodingKeys: CodingKey { case state }
            init(from decoder: any Decoder) throws {
                _ = try decoder.container(keyedBy: CodingKeys.self).decode(Open<Shipment>.self, forKey: .state)
                throw Refusal(text: "inner")
            }
        }
        struct Outer: Decodable, RawDecodable {
            enum CodingKeys: CodingKey { case inner }
            init(from decoder: any Decoder) throws {
                _ = try? decoder.container(keyedBy: CodingKeys.self).decode(Inner.self, forKey: .inner)
                throw Refusal(text: "outer")
            }
        }
        #expect(try lines(Outer.self, #"{"inner":{"state":"lost"}}"#, policy) == ["error failed $"])
    }

    @Test("of an entry that throws an error of its own are reported once, with the names of the JSON")
    func entryWithItsOwnError() throws {
        class Base: Decodable {
            let lastState: Open<Shipment>
            enum CodingKeys: CodingKey { case lastState }
            required init(from decoder: any Decoder) throws {
                lastState = try decoder.container(keyedBy: CodingKeys.self)
                    .decode(
                        Open<Shipment>.self,
                        forKey: .lastState
                    )
            }
        }
        final class Derived: Base, RawDecodable {
            required init(from decoder: any Decoder) throws {
                _ = try decoder.container(keyedBy: CodingKeys.self).decode(Open<Shipment>.self, forKey: .lastState)
                try super.init(from: decoder)
                throw Refusal(text: "always")
            }
        }
        var conventions = CodingConventions()
        conventions.keys = .snakeCase
        for policy in policies {
            let found = try lines(Derived.self, #"{"last_state":"lost"}"#, policy, conventions)
            #expect(found == ["error failed $", "warning unknown value $.last_state"])
        }
    }

    @Test("of one mapping of a call are not added to those of another", arguments: policies)
    func severalMappings(policy: MappingPolicy) async throws {
        struct Total: Decodable, RawDecodable { let total: Int }
        /// Maps a response as one type, and if that fails as another.
        let stage = AnyNode<Json, Int> { json, context in
            if (try? context.mapping { try Parcel.from(raw: json) }) == nil {
                _ = try context.mapping { try Total.from(raw: json) }
            }
            return try context.mapping { try json.decode("count") }
        }
        for (total, path) in [(#""x""#, "$.total"), ("1", "$.count")] {
            let reporter = CollectingReporter()
            let context = CallContext(reporter: reporter, mapping: policy)
            let json = try Json.of(#"{"state":"lost","weight":"x","total":\#(total)}"#)
            do {
                _ = try await stage.process(json, in: context)
                Issue.record("nothing failed")
            } catch {
                context.deliverReport(of: .response, failure: error)
            }
            #expect(reporter.issues.map(\.path.description) == [path])
        }
    }

    @Test("of models are in no report, also if another conversion fails")
    func models() {
        struct Weight: DTODecodable {
            static func from(dto: Int) throws -> Weight {
                MappingIssue(.coerced, severity: .warning).report()
                try require(that: dto > 0, "a weight is positive")
                return Weight()
            }
        }
        for policy in [MappingPolicy.standard, .collectingAll()] {
            let mapped = mapping(policy) {
                _ = try? Weight.from(dto: -1, at: "first")
                let (_, other) = try gathering(
                    { try? Weight.from(dto: -1, at: "second") },
                    { try Weight.from(dto: -1, at: "third") }
                )
                return other
            }
            #expect(mapped.lines == ["error broken rule $.third", "warning coerced $.third"])
        }
    }

    @Test("are in no report of a call")
    func call() async throws {
        let list = #"{"items":[{"parcel":\#(bad),"number":1}],"total":"x"}"#
        let client = Client(
            baseURL: try #require(URL(string: "https://api.example.com")),
            transport: StubTransport(.json(list))
        )
        for policy in policies {
            let reporter = CollectingReporter()
            let route = Route<Deliveries<TriedParcel>>.get("deliveries")
            await #expect(throws: CallError.self) { try await client.fetch(route, reporter: reporter, mapping: policy) }
            #expect(reporter.issues.map(\.path.description) == ["$.total"])
        }
    }

    @Test("of a coder of the app inside of a mapping are in no report, and those of its error are")
    func otherCoder() throws {
        var decoder = JsonDecoder()
        decoder.dates = .rfc3339
        let tried = Data(#"{"items":[{"parcel":\#(bad),"number":1}],"total":"x"}"#.utf8)
        let failing = Data(#"{"items":[{"parcel":\#(good),"number":"x"}],"total":1}"#.utf8)
        let discarded = mapping { try decoder.decode(Deliveries<TriedByHand>.self, from: tried) }
        #expect(discarded.lines == ["error wrong type $.total"])
        let ended = mapping { try decoder.decode(Deliveries<TriedByHand>.self, from: failing) }
        #expect(ended.lines == ["error wrong type $.items[0].number", "warning unknown value $.items[0].parcel.state"])
    }

    private enum RenamedKey: String, PathCodingKey {
        case weight
        static let paths: [RenamedKey: [String]] = [.weight: ["weight", "gross"]]
    }

    private struct Renamed: Decodable, RawDecodable {
        let weight: Int?
        init(from decoder: any Decoder) throws {
            weight = try? decoder.container(keyedBy: RenamedKey.self).decode(Int.self, forKey: .weight)
        }
    }

    private struct RenamedByHand: RawDecodable {
        let weight: Int?
        let size: Int?
        static func from(raw: Json) -> RenamedByHand {
            RenamedByHand(
                weight: try? raw.decode(anyOf: "weight", "gross"),
                size: try? raw.decodeIfPresent(anyOf: "weight", "gross")
            )
        }
    }

    @Test(
        "include the clash of two keys of a value that cannot be read",
        arguments: [MappingPolicy.standard, .collectingAll()]
    )
    func clashes(policy: MappingPolicy) throws {
        let text = #"{"weight":"x","gross":2}"#
        #expect(try lines(Renamed.self, text, policy) == [])
        #expect(try lines(RenamedByHand.self, text, policy) == [])
    }

    @Test("are no reason to choose another alternative under a policy that salvages")
    func noReasonToReadAgain() throws {
        struct Stack: Decodable, RawDecodable {
            struct Layer: Decodable {
                let state: Open<Shipment>
                let height: Int?
            }
            let layer: Layer?
            enum CodingKeys: CodingKey { case layer }
            init(from decoder: any Decoder) throws {
                layer = try? decoder.container(keyedBy: CodingKeys.self).decode(Layer.self, forKey: .layer)
            }
        }
        let json = try Json.of(#"{"layer":{"state":"lost","height":"x"}}"#)
        for policy in policies {
            let mapped = mapping(policy) { try Stack.from(raw: json) }
            #expect(mapped.value?.layer == nil && mapped.error == nil)
            #expect(mapped.lines == [])
        }
    }

    @Test("do not change the value of an element under a policy that salvages", arguments: ["sent", "lost"])
    func noReasonToReadElementsAgain(state: String) throws {
        struct Tower: Decodable, RawDecodable {
            struct Stack: Decodable {
                struct Layer: Decodable {
                    let state: Open<Shipment>
                    let height: Int?
                }
                let layer: Layer?
                enum CodingKeys: CodingKey { case layer }
                init(from decoder: any Decoder) throws {
                    layer = try? decoder.container(keyedBy: CodingKeys.self).decode(Layer.self, forKey: .layer)
                }
            }
            let stacks: [Stack]
            let note: Int?
        }
        let json = try Json.of(#"{"note":"x","stacks":[{"layer":{"state":"\#(state)","height":"x"}}]}"#)
        let mapped = mapping(.salvaging) { try Tower.from(raw: json) }
        #expect(mapped.value?.stacks.count == 1 && mapped.value?.stacks.first?.layer == nil)
        #expect(mapped.lines == ["warning dropped $.note"])
    }

    @Test("are no loss because of which an `Either` prefers its other type")
    func noLossOfEither() throws {
        struct Crate: Decodable {
            struct Box: Decodable {
                let label: Int?
                let weight: Int
            }
            let box: Box?
            let note: Int?
            enum CodingKeys: CodingKey { case box, note }
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                box = try? container.decode(Box.self, forKey: .box)
                note = nil
            }
        }
        struct Shelf: Decodable { let width: Int? }
        struct Storage: Decodable, RawDecodable {
            let item: Either<Crate, Shelf>
            /// The text has an invalid value for it, so the policy reads again with tolerance.
            let number: Int?
        }
        let json = try Json.of(#"{"item":{"box":{"label":"x","weight":"y"}},"number":"x"}"#)
        let mapped = mapping(.salvaging) { try Storage.from(raw: json) }
        #expect(mapped.value?.item.first != nil)
        #expect(mapped.lines == ["warning dropped $.number"])
    }

    @Test("an entry by hand that reads a value twice reports it once")
    func readTwiceByHand() throws {
        struct Twice: RawDecodable {
            let first: Parcel?
            let second: Parcel?
            static func from(raw: Json) -> Twice {
                Twice(
                    first: try? raw.at("box") { try $0.decode("parcel") },
                    second: try? raw.decode(path: "box.parcel")
                )
            }
        }
        let text = #"{"box":{"parcel":\#(good)}}"#
        for policy in policies {
            #expect(try lines(Twice.self, text, policy) == ["warning unknown value $.box.parcel.state"])
            let list = (0..<2).map { "warning unknown value $[\($0)].box.parcel.state" }
            #expect(try lines([Twice].self, "[\(text),\(text)]", policy) == list)
        }
    }
}

extension MappingPolicy {
    /// Whether a list fails with the error of its only element. A policy that salvages leaves the element out.
    fileprivate var leavesNothingOut: Bool { self != .salvaging }
}
