import Bilayer
import Foundation
import Testing

private struct Order: Codable, RawDecodable, Equatable {
    struct Item: Codable, Equatable {
        let sku: String
        let price: Double
        let note: String?
    }
    struct Customer: Codable, Equatable {
        let id: Int
        let name: String
    }
    let id: Int
    let items: [Item]
    let customer: Customer?
    let tags: [String: Int]
    let rating: Int?
}

private func order(
    _ items: String = "[]",
    customer: String = "null",
    tags: String = "{}",
    rating: String = "1",
    id: String = "7"
) throws -> Json {
    try Json(parsing: #"{"id":\#(id),"items":\#(items),"customer":\#(customer),"tags":\#(tags),"rating":\#(rating)}"#)
}

private let good = #"{"sku":"a","price":1}"#

@Suite("Salvaging Codable entries")
struct SalvagingEntryTests {
    private let collected = CollectingReporter()

    private func salvage(_ json: Json) throws -> Order {
        try collected.mapping(policy: .salvaging) { try Order.from(raw: json) }
    }

    private var told: [String] { collected.issues.map(\.description) }

    @Test func aGoodEntryIsReadAsEver() throws {
        #expect(try salvage(order("[\(good)]")).items.count == 1)
        #expect(told.isEmpty)
    }

    @Test func aBadOptionalFieldCostsOnlyItself() throws {
        let order = try salvage(order(rating: #""five""#))
        #expect(order.rating == nil)
        #expect(told == ["$.rating: dropped: $.rating: wrong type: expected Int, found string (4 characters) in Order"])
    }

    @Test func aBadPartOfAnOptionalValueCostsTheValue() throws {
        let order = try salvage(order(customer: #"{"id":1}"#))
        #expect(order.customer == nil)
        #expect(collected.issues.map(\.path.description) == ["$.customer"])
        #expect(collected.issues.first?.causes.map(\.path.description) == ["$.customer.name"])
    }

    @Test func badElementsCostOnlyThemselvesAndKeepTheServersNumbers() throws {
        let items = #"[{"sku":1,"price":1},\#(good),{"price":2},{"sku":"c","price":3,"note":[]},{"sku":"d"}]"#
        let order = try salvage(order(items))
        #expect(order.items.map(\.sku) == ["a", "c"])
        #expect(
            collected.issues.map(\.path.description) == ["$.items[0]", "$.items[2]", "$.items[3].note", "$.items[4]"]
        )
        #expect(
            collected.issues.map { $0.causes.map(\.path.description) } == [
                ["$.items[0].sku"], ["$.items[2].sku"], ["$.items[3].note"], ["$.items[4].price"],
            ]
        )
    }

    @Test func aBadMemberOfADictionaryCostsOnlyItself() throws {
        let order = try salvage(order(tags: #"{"a":1,"b":"x","c":3}"#))
        #expect(order.tags == ["a": 1, "c": 3])
        #expect(collected.issues.map(\.path.exactDescription) == ["$.tags.b"])
    }

    @Test func aRequiredFieldIsStillRequired() throws {
        let json = try order(id: #""x""#)
        let error = #expect(throws: MappingError.self) { try salvage(json) }
        #expect(error?.issues.map(\.path.description) == ["$.id"])
    }

    @Test func nothingLeftOfAnArrayIsAnError() throws {
        let json = try order(#"[{"sku":1}]"#)
        let error = #expect(throws: MappingError.self) { try salvage(json) }
        #expect(error?.issues.first?.kind == .tooManyDropped)
        #expect(error?.path.description == "$.items")
    }
}

@Suite("Collecting all errors of Codable entries")
struct CollectingEntryTests {
    private func errors(_ json: Json, limit: Int = 100) -> [String] {
        let error = #expect(throws: MappingError.self) {
            try CollectingReporter().mapping(policy: .collectingAll(limit: limit)) { try Order.from(raw: json) }
        }
        return error?.issues.map(\.path.exactDescription) ?? []
    }

    @Test func siblingsElementsAndMembersAreFoundInOnePass() throws {
        let json = try order(
            #"[{"sku":1,"price":"x"},\#(good),{"sku":"b","price":null}]"#,
            customer: #"{"id":"x","name":3}"#,
            tags: #"{"a":"1"}"#,
            rating: "1.5",
            id: "null"
        )
        #expect(
            errors(json) == [
                "$.id", "$.items[0].sku", "$.items[0].price", "$.items[2].price", "$.customer.id", "$.customer.name",
                "$.tags.a", "$.rating",
            ]
        )
    }

    @Test func missingFieldsAreFoundToo() throws {
        #expect(errors(try order("[{}]")) == ["$.items[0].sku", "$.items[0].price"])
    }

    @Test func aGoodEntryIsReadAsEver() throws {
        let json = try order("[\(good)]")
        let order = try CollectingReporter().mapping(policy: .collectingAll()) { try Order.from(raw: json) }
        #expect(order.items.count == 1)
    }

    @Test func thereIsALimit() throws {
        let items = "[" + Array(repeating: #"{"sku":1}"#, count: 500).joined(separator: ",") + "]"
        #expect(errors(try order(items), limit: 5).count == 5)
    }
}
