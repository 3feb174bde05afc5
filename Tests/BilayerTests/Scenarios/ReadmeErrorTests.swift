import Bilayer
import BilayerTesting
import Foundation
import Testing

private struct ShownPhotoEntry: Codable, RawMappable {
    let id: String
    let ref: String
}

private struct ShownPhoto: DTODecodable {
    let image: URL
    static func from(dto: ShownPhotoEntry) throws -> ShownPhoto {
        try ShownPhoto(image: dto.ref.parsed(as: .url, "ref"))
    }
}

private struct ShownUserEntry: Codable, RawMappable {
    let name: String
    let photos: [ShownPhotoEntry]
}

private struct ShownUser: DTODecodable {
    let photos: [ShownPhoto]
    static func from(dto: ShownUserEntry) throws -> ShownUser {
        try ShownUser(photos: .from(dto: dto.photos, at: "photos"))
    }
}

@Suite("The error that the README shows")
struct ReadmeErrorTests {
    @Test func isThatOfItsQuickStart() async throws {
        let stub = StubTransport()
        let text =
            #"[{"name":"Ada","age":36,"type":0,"photos":[{"id":"p1","ref":"no address at"}],"createdAt":"2026-11-24"}]"#
        stub.on(.get, "/v1/users", .json(text))
        let client = Client(baseURL: URL("https://api.example.com/v1"), transport: stub)
        let error = await #expect(throws: CallError.self) { try await client.fetch(Route<[ShownUser]>.get("users")) }
        let lines = try #require(error).description.replacing("Shown", with: "").split(separator: "\n")
        #expect(lines.count == 2)
        let readme = Compiler.repository.appending(path: "README.md")
        let shown = try String(contentsOf: readme, encoding: .utf8)
        #expect(shown.contains(lines[0]), "\(lines[0])")
        let found = try #require(lines[1].firstRange(of: " at ReadmeErrorTests.swift:"))
        #expect(shown.contains(lines[1][..<found.lowerBound] + " at main.swift:"), "\(lines[1])")
    }
}
