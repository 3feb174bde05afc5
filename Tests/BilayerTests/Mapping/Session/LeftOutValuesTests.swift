import Bilayer
import BilayerTesting
import Foundation
import Testing

private struct ParcelFragment: Codable, RawDecodable, Sendable {
    struct Receiver: Codable, Sendable { let homeTown: String }

    let parcelCode: String?
    let receiver: Receiver?
    let note: String?
}

private struct SentParcel: DTODecodable, Sendable {
    let code: String
    let town: String

    static func from(dto: ParcelFragment) throws -> SentParcel {
        try SentParcel(
            code: dto.parcelCode.require("parcelCode"),
            town: (dto.receiver?.homeTown).require("receiver.homeTown")
        )
    }
}

extension Route where Response == [SentParcel] {
    fileprivate static var parcels: Route { .get("parcels") }
}

extension Route where Response == SentParcel {
    fileprivate static var parcel: Route { .get("parcels/7") }
}

/// A value that the first layer leaves out is missing in the second layer. This is one problem of the response.
@Suite("Values that salvaging leaves out, and that the model requires")
struct LeftOutValuesTests {
    private static let good = #"{"parcel_code":"A","receiver":{"home_town":"Oslo"}}"#

    private let stub = StubTransport()
    private let reporter = CollectingReporter()

    private var client: Client {
        var client = Client.snakeCased(stub, reporter: reporter)
        client.mappingPolicy = .salvaging
        return client
    }

    private func fetch(_ parcels: String...) async throws -> [String] {
        stub.on(.get, "/parcels", .json("[\(parcels.joined(separator: ","))]"))
        let route = Route<[SentParcel]>.parcels
        return try await client.fetch(route).map(\.code)
    }

    /// The issues with their causes, as `path: kind path`.
    private var lines: [String] {
        reporter.issues.map { issue in
            let causes = issue.causes.map { "\($0.kind) \($0.path)" }.joined(separator: ", ")
            return "\(issue.path): \(causes.isEmpty ? "\(issue.kind)" : causes)"
        }
    }

    @Test func anElementIsLeftOutWithTheReasonOfTheFirstLayer() async throws {
        #expect(try await fetch(Self.good, #"{"parcel_code":7,"receiver":{"home_town":"Rome"}}"#) == ["A"])
        #expect(lines == ["$[1]: wrong type $[1].parcel_code"])
        let issue = try #require(reporter.issues.first)
        #expect(issue.kind == .dropped && issue.severity == .warning)
        #expect(issue.message.hasSuffix("expected String, found number (property parcelCode) in ParcelFragment"))
    }

    @Test func countsTellAnUnreadableValueFromAMissingOne() async throws {
        let counting = CountingReporter()
        stub.on(.get, "/parcels", .json(#"[\#(Self.good),{"parcel_code":7},{}]"#))
        _ = try await client.fetch(Route<[SentParcel]>.parcels, reporter: counting)
        let model = "GET parcels: dropped $[] ParcelFragment -> SentParcel: "
        #expect(
            counting.counts == [
                model + "wrong type $[].parcel_code ParcelFragment": 1,
                model + "missing $[].parcel_code ParcelFragment -> SentParcel": 1,
            ]
        )
    }

    @Test func aValueInsideOfOneThatIsLeftOutHasItsReason() async throws {
        #expect(try await fetch(Self.good, #"{"parcel_code":"B","receiver":{"home_town":[]}}"#) == ["A"])
        #expect(lines == ["$[1]: wrong type $[1].receiver.home_town"])
    }

    @Test func indicesAreThoseOfTheServer() async throws {
        #expect(try await fetch("0", #"{"parcel_code":7}"#, Self.good) == ["A"])
        #expect(lines == ["$[0]: wrong type $[0]", "$[1]: wrong type $[1].parcel_code"])
    }

    @Test func whatTheModelDoesNotRequireIsReportedByItself() async throws {
        let both = #"{"parcel_code":7,"receiver":{"home_town":"Rome"},"note":1}"#
        let other = #"{"parcel_code":"C","receiver":{"home_town":"Rome"},"note":1}"#
        #expect(try await fetch(both, other) == ["C"])
        #expect(
            lines == [
                "$[0].note: wrong type $[0].note", "$[1].note: wrong type $[1].note",
                "$[0]: wrong type $[0].parcel_code",
            ]
        )
    }

    @Test func aModelThatFailsHasTheReasonAsItsOnlyError() async throws {
        stub.on(.get, "/parcels/7", .json(#"{"parcel_code":7,"receiver":{"home_town":"Rome"},"note":1}"#))
        let error = await #expect(throws: CallError.self) { try await client.fetch(Route<SentParcel>.parcel) }
        #expect(error?.issues.map { "\($0.kind) \($0.path)" } == ["wrong type $.parcel_code"])
        #expect(lines == ["$.parcel_code: wrong type", "$.note: wrong type $.note"])
        #expect(reporter.issues.map(\.severity) == [.error, .warning])
    }

    @Test func aListOfWhichNothingIsLeftHasTheReasons() async throws {
        stub.on(.get, "/parcels", .json(#"[{"parcel_code":7},{}]"#))
        let error = await #expect(throws: CallError.self) { try await client.fetch(Route<[SentParcel]>.parcels) }
        #expect(error?.issues.map(\.kind) == [.tooManyDropped])
        #expect(
            error?.issues.flatMap(\.causes).map { "\($0.kind) \($0.path)" } == [
                "wrong type $[0].parcel_code", "missing $[1].parcel_code",
            ]
        )
    }
}
