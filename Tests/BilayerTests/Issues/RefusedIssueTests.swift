import Bilayer
import Foundation
import Testing

private enum Order: Sendable { typealias ID = TypedIntIdentifier<Order> }
extension Order: AcceptsTextIdentifiers {}

private enum Status: String, OpenEnum, Codable { case paid, sent }

private enum Availability: String, DefaultCase, Codable, RawMappable {
    case inStock, other
    static let defaultCase = other
}

private enum Reader: String, CaseIterable, CustomTestStringConvertible {
    case open, defaultCase, defaults, lenientNumber, identifier, alternatives

    var testDescription: String { rawValue }

    /// Reads a value that a mapping accepts with a warning.
    func read() throws {
        switch self {
        case .open: _ = try Open<Status>.from(raw: "lost")
        case .defaultCase: _ = try Availability.from(raw: "gone")
        case .defaults: _ = try (["count": "many"] as Json).decode("count", ifInvalid: 1)
        case .lenientNumber: _ = try ValueFormat<Int>.lenient.read("5")
        case .identifier: _ = try Order.ID.from(raw: "5")
        case .alternatives:
            let _: String = try (["user_name": "Ada", "userName": "Bob"] as Json).decode(anyOf: "user_name", "userName")
        }
    }

    /// The word of the warning's message for what becomes of the value. The message of an error has no such word.
    var fate: String {
        switch self {
        case .open: "kept"
        case .defaultCase: "taken as a default"
        case .defaults: "used default"
        case .lenientNumber: "read as"
        case .identifier: "coerced"
        case .alternatives: "was read"
        }
    }
}

@Suite("MappingIssue: accepted and refused")
struct RefusedIssueTests {
    @Test(arguments: Reader.allCases) fileprivate func aWarningSaysWhatBecameOfTheValue(reader: Reader) throws {
        let collected = CollectingReporter()
        try collected.mapping { try reader.read() }
        let issue = try #require(collected.issues.first)
        #expect(issue.severity == .warning && issue.message.contains(reader.fate), "\(issue)")
    }

    @Test(arguments: Reader.allCases) fileprivate func aRefusedIssueSaysNothingOfIt(reader: Reader) throws {
        let error = #expect(throws: MappingError.self) {
            try CollectingReporter().mapping(policy: .strict) { try reader.read() }
        }
        let issue = try #require(error?.issues.first)
        #expect(issue.severity == .error && !issue.message.contains(reader.fate), "\(issue)")
    }
}
