import Bilayer
import BilayerTesting
import Foundation
import Testing

@Suite("An optional field of a DTO is read in a format of optionals")
struct ParsedOptionalsTests {
    private struct SleeveEntry: Codable, RawMappable {
        let id: Int
        let cover: String?
    }

    private struct Sleeve: DTODecodable, Equatable, Sendable {
        let id: Int
        let cover: URL?

        static func from(dto: SleeveEntry) throws -> Sleeve {
            try Sleeve(id: dto.id, cover: dto.cover.parsed(as: .optional(.url), "cover"))
        }
    }

    private let text =
        #"[{"id":1,"cover":"https://a.example/1"},{"id":2},{"id":3,"cover":null},{"id":4,"cover":"no link"}]"#

    private func sleeves(_ text: String, _ policy: MappingPolicy, _ reporter: CollectingReporter) throws -> [Sleeve] {
        try reporter.mapping(policy: policy) {
            try [Sleeve].from(dto: [SleeveEntry].from(raw: Json(parsing: text)))
        }
    }

    @Test func aMissingValueIsNil() throws {
        let reporter = CollectingReporter()
        let found = try sleeves(text.replacing(#",{"id":4,"cover":"no link"}"#, with: ""), .standard, reporter)
        #expect(found.map(\.cover?.absoluteString) == ["https://a.example/1", nil, nil])
        #expect(reporter.issues.isEmpty)
    }

    @Test func aBadValueIsAnErrorWithItsPath() throws {
        let error = #expect(throws: MappingError.self) { try sleeves(text, .standard, CollectingReporter()) }
        let issue = try #require(error?.issues.first)
        #expect(error?.issues.count == 1)
        #expect("\(issue.path)" == "$[3].cover")
        #expect(issue.kind == .invalidValue)
        #expect(issue.owner == "ParsedOptionalsTests.SleeveEntry -> ParsedOptionalsTests.Sleeve")
        #expect(issue.source?.fileID.hasSuffix("ParsedOptionalsTests.swift") == true)
    }

    @Test func underSalvagingABadValueIsNilAndTheModelIsKept() throws {
        let reporter = CollectingReporter()
        let found = try sleeves(text, .salvaging, reporter)
        #expect(found.map(\.id) == [1, 2, 3, 4])
        #expect(found.map(\.cover?.absoluteString) == ["https://a.example/1", nil, nil, nil])
        let issue = try #require(reporter.issues.first)
        #expect(reporter.issues.count == 1)
        #expect(issue.kind == .dropped)
        #expect("\(issue.path)" == "$[3].cover")
        #expect(issue.causes.map { "\($0.kind) \($0.path)" } == ["invalid value $[3].cover"])
    }

    @Test func aFormatMayReadAPresentValueAsNil() throws {
        let texts: [String?] = [nil, "", "https://a.example/1"]
        let read = try texts.map { try $0.parsed(as: .emptyAsNil(.url))?.absoluteString }
        #expect(read == [nil, nil, "https://a.example/1"])
    }
}
