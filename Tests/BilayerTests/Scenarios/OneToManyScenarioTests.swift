import Bilayer
import Foundation
import Testing

private struct PaymentEntry: Codable, RawDecodable {
    let subitems: [PaymentEntry]?
    let mask: String?
    let regexp: String?
    let action: String?
}

private struct PaymentAction: DTODecodable, Equatable {
    let action: String

    static func from(dto: PaymentEntry) throws -> PaymentAction {
        try PaymentAction(action: dto.action.require("action"))
    }
}

private struct PaymentField: DTODecodable, Equatable {
    let mask: String
    let regexp: String

    static func from(dto: PaymentEntry) throws -> PaymentField {
        try PaymentField(mask: dto.mask.require("mask"), regexp: dto.regexp.require("regexp"))
    }
}

private struct PaymentList<Item: DTODecodable & Sendable>: DTODecodable where Item.DTO == PaymentEntry {
    let items: [Item]

    static func from(dto: PaymentEntry) throws -> PaymentList {
        try PaymentList(items: .from(dto: dto.subitems.require("subitems"), at: "subitems"))
    }
}

@Suite("Scenario: one recursive entry, read as three models")
struct OneToManyScenarioTests {
    private func payment(_ text: String) throws -> PaymentEntry {
        try PaymentEntry.from(raw: Json(parsing: Data(text.utf8)))
    }

    @Test func theCallDecidesWhatItBecomes() throws {
        let entry = try payment(
            #"{"action":"pay","mask":"dd","regexp":"[0-9]+","subitems":[{"action":"a"},{"action":"b"}]}"#
        )
        #expect(try PaymentAction.from(dto: entry) == PaymentAction(action: "pay"))
        #expect(try PaymentField.from(dto: entry) == PaymentField(mask: "dd", regexp: "[0-9]+"))
        let list = try PaymentList<PaymentAction>.from(dto: entry)
        #expect(list.items == [PaymentAction(action: "a"), PaymentAction(action: "b")])
    }

    @Test func anActionWithoutItsFieldNamesFieldPathAndTarget() async throws {
        let convert = ConvertDTO<PaymentAction>()
        let error = await #expect(throws: MappingError.self) { try await convert.process(payment("{}")) }
        #expect(error?.path == [.key("action")])
        #expect(error?.issues.first?.kind == .missing)
        #expect(error?.issues.first?.propertyName == "action")
        #expect(error?.issues.first?.owner == "PaymentEntry -> PaymentAction")
    }

    @Test(arguments: [(#"{"regexp":"x"}"#, "mask"), (#"{"mask":"x"}"#, "regexp"), ("{}", "mask")])
    func aFieldWithoutItsFieldsNamesTheFirst(text: String, name: String) async throws {
        let entry = try payment(text)
        let error = await #expect(throws: MappingError.self) { try await ConvertDTO<PaymentField>().process(entry) }
        #expect(error?.path == [.key(name)])
        #expect(error?.issues.first?.owner == "PaymentEntry -> PaymentField")
    }

    @Test func aListNamesTheWayToTheFaultThroughEveryLevel() async throws {
        let entry = try payment(
            #"{"subitems":[{"subitems":[{"action":"a"}]},{"subitems":[{"action":"b"},{"mask":"d"}]}]}"#
        )
        let convert = ConvertDTO<PaymentList<PaymentList<PaymentAction>>>()
        let error = await #expect(throws: MappingError.self) { try await convert.process(entry) }
        #expect(error?.path.description == "$.subitems[1].subitems[1].action")
        #expect(error?.issues.first?.owner == "PaymentEntry -> PaymentAction")
    }
}
