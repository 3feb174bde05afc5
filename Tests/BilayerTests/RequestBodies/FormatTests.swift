import Bilayer
import BilayerTesting
import Foundation
import Testing

/// A property list, which is read as binary or XML, and written as XML.
private struct PropertyListRaw: RawBody {
    let bytes: Data
    static var mediaType: String { "application/x-plist" }
    static func parse(_ body: Data) throws -> PropertyListRaw {
        _ = try unsafe PropertyListSerialization.propertyList(from: body, format: nil)
        return PropertyListRaw(bytes: body)
    }
    func serialized() throws -> Data { bytes }
}

private struct Track: Codable, Sendable, Equatable, RawDecodable, RawEncodable {
    typealias Raw = PropertyListRaw
    let name: String
    let seconds: Int

    static func from(raw: PropertyListRaw) throws -> Track {
        try PropertyListDecoder().decode(Track.self, from: raw.bytes)
    }
    func toRaw() throws -> PropertyListRaw {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .xml
        return PropertyListRaw(bytes: try encoder.encode(self))
    }
}

/// Rows of texts without quotes.
private struct SmallCSV: RawBody, Equatable {
    struct Ragged: Error {}

    let rows: [[String]]
    static var mediaType: String { "text/csv" }
    static var isText: Bool { true }
    static func parse(_ body: Data) throws -> SmallCSV {
        let rows = String(decoding: body, as: UTF8.self).split(whereSeparator: \.isNewline)
            .map { line in
                line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            }
        guard rows.allSatisfy({ $0.count == rows.first?.count }) else { throw Ragged() }
        return SmallCSV(rows: rows)
    }
    func serialized() throws -> Data {
        Data(rows.map { $0.joined(separator: ",") + "\r\n" }.joined().utf8)
    }
}

private struct People: Sendable, Equatable, DTODecodable, DTOEncodable {
    struct Table: Sendable, RawDecodable, RawEncodable {
        typealias Raw = SmallCSV
        let names: [String]
        static func from(raw: SmallCSV) throws -> Table { Table(names: raw.rows.compactMap(\.first)) }
        func toRaw() throws -> SmallCSV { SmallCSV(rows: names.map { [$0] }) }
    }
    let names: [String]
    static func from(dto: Table) throws -> People { People(names: dto.names) }
    func toDTO() throws -> Table { Table(names: names) }
}

@Suite("Formats other than JSON")
struct FormatTests {
    private let transport = StubTransport()
    private var client: Client { Client(baseURL: URL("https://example.com"), transport: transport) }

    private static func response(_ body: Data, _ type: String) -> StubTransport.Answer {
        StubTransport.Answer { _, _ in HTTPResponse(status: 200, headers: [.contentType: type], body: body) }
    }

    @Test("the raw type gives Accept and Content-Type, for property lists")
    func propertyLists() async throws {
        let track = Track(name: "Ä", seconds: 3)
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        transport.on(.put, "/track", Self.response(try encoder.encode(track), "application/x-plist"))
        #expect(try await client.fetch(Route<Track>.put("track", body: track)) == track)
        let request = try #require(transport.requests.last)
        #expect(request.headers[.accept] == "application/x-plist")
        #expect(request.headers[.contentType] == "application/x-plist")
        #expect(try PropertyListDecoder().decode(Track.self, from: request.body?.data ?? Data()) == track)
    }

    @Test("a model of CSV goes through both layers, in the charset of the server")
    func table() async throws {
        transport.on(.post, "/people", Self.response(Data([0x5A, 0xEB, 0x0A]), "text/csv; charset=iso-8859-1"))
        let people = try await client.fetch(Route<People>.post("people", body: People(names: ["Ada", "Zoë"])))
        #expect(people == People(names: ["Zë"]))
        let request = try #require(transport.requests.last)
        #expect(request.headers[.accept] == "text/csv")
        #expect(request.headers[.contentType] == "text/csv")
        #expect(request.body?.data == Data("Ada\r\nZoë\r\n".utf8))
    }

    @Test("another format than expected is an error that names both")
    func wrongFormat() async throws {
        transport.on(.get, "/track", .json("{"))
        let error = await #expect(throws: CallError.self) { try await client.fetch(Route<Track>.get("track")) }
        #expect("\(try #require(error))".contains("expected application/x-plist, found application/json"))
    }
}
