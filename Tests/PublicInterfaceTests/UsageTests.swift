// An example of an app's code with Bilayer, from the lower layer to errors and reports. The tests run each part.

import Bilayer
import BilayerTesting
import Foundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// MARK: 1. The lower layer: what the server speaks

enum MemberKind: Int, Codable { case owner, member }

struct PhotoEntry: Codable, RawMappable {
    let id: String
    let ref: String
}

struct UserEntry: Codable, RawMappable {
    let name: String
    let age: Int
    let type: MemberKind
    let photos: [PhotoEntry]
}

// MARK: 2. The upper layer: what the app speaks

struct Photo: Identifiable, Hashable, Sendable, DTOConvertible {
    typealias ID = TypedStringIdentifier<Photo>
    let id: ID
    let image: URL

    static func from(dto: PhotoEntry) throws -> Photo {
        try Photo(id: ID(dto.id), image: URL(string: dto.ref).require("ref"))
    }
    func toDTO() throws -> PhotoEntry { PhotoEntry(id: id.rawValue, ref: image.absoluteString) }
}

struct User: Hashable, Sendable, DTODecodable {
    let name: String
    let photos: [Photo]

    static func from(dto: UserEntry) throws -> User {
        try User(name: dto.name, photos: .from(dto: dto.photos, at: "photos"))
    }
}

// MARK: 3. Endpoints bound to what they answer

extension Route where Response == [User] {
    static var users: Route { .get("users") }
    static func users(olderThan age: Int) -> Route { .get("users", query: ["older_than": age]) }
}
extension Route where Response == User? {
    static func user(_ id: Int) -> Route { .get("users/{id}", ["id": id]) }
}
extension Route where Response == Photo {
    static func add(_ photo: Photo, to user: Int) -> Route { .post("users/{id}/photos", ["id": user], body: photo) }
}
extension Route where Response == [UserEntry] { static var userEntries: Route { .get("users") } }
extension Route where Response == Json { static var health: Route { .get("health") } }

@Suite("How an app's code reads")
struct UsageTests {
    private let ada = #"{"name":"Ada","age":36,"type":0,"photos":[{"id":"p1","ref":"https://img.example.com/1"}]}"#

    private func server() async throws -> (FaultServer, Client) {
        let server = try await FaultServer.start()
        server.on(.get, "/users", .json("[\(ada)]"))
        server.on(.get, "/users/7", .json(ada), .status(204))
        server.on(.post, "/users/7/photos", .json(#"{"id":"p9","ref":"https://img.example.com/9"}"#, status: 201))
        server.on(.get, "/health", .json(#"{"status":"up","checks":[{"name":"db"}]}"#))
        return (server, Client(baseURL: server.url))
    }

    @Test func fetching() async throws {
        let (server, client) = try await server()
        defer { server.stop() }
        let users = try await client.fetch(.users)
        #expect(
            users.map(\.photos) == [[Photo(id: "p1", image: try #require(URL(string: "https://img.example.com/1")))]]
        )
        _ = try await client.fetch(.users(olderThan: 30))
        #expect(server.requests.last?.query == "older_than=30")
        #expect(try await client.fetch(.user(7))?.name == "Ada")
        #expect(try await client.fetch(.user(7)) == nil)
        #expect(try await client.fetch(.userEntries).map(\.age) == [36])
        let raw = try await client.fetch(.health)
        #expect(raw["status"]?.string == "up")
        #expect(raw.path("checks[0].name")?.string == "db")
    }

    @Test func sendingAModelDownBothLayers() async throws {
        let (server, client) = try await server()
        defer { server.stop() }
        let photo = Photo(id: "p9", image: try #require(URL(string: "https://img.example.com/9")))
        #expect(try await client.fetch(.add(photo, to: 7)) == photo)
        #expect(server.requests.last?.body == Data(#"{"id":"p9","ref":"https://img.example.com/9"}"#.utf8))
    }

    @Test func composing() async throws {
        let (server, _) = try await server()
        defer { server.stop() }
        let transport = URLSessionTransport(session: URLSession(configuration: .ephemeral)).wrapped(by: Stopwatch())
        var client = Client(baseURL: server.url, transport: transport)
        client.request.append { request, _ in
            var request = request
            request.headers[.userAgent] = "App/1"
            return request
        }
        client.raw.append { json, _ in json["data"] ?? json }
        client.entry.append(EntryCheck())
        client.model.append(EntryCheck())
        #expect(try await client.fetch(.users).count == 1)
        #expect(server.requests.last?.headers[.userAgent] == "App/1")

        let pipeline = client.pipeline(for: .users)
        #expect("\(pipeline)".contains("transport: Stopwatch<HTTPRequest, HTTPResponse>(URLSessionTransport"))
        let offline = pipeline.replacing(
            transport: AnyNode { _, _ in HTTPResponse(status: 200, body: Data("[]".utf8)) }
        )
        #expect(try await offline.process() == [])

        let parse = ParseJson().then(MapRaw<[UserEntry]>()).then(ConvertDTO<[User]>())
        #expect(try await parse.process(HTTPResponse(status: 200, body: Data("[]".utf8)), in: CallContext()) == [])
    }

    @Test func failing() async throws {
        let (server, client) = try await server()
        defer { server.stop() }
        server.on(.get, "/broken", .json(#"[\#(ada),{"name":"B","age":1,"type":1,"photos":[{"id":"p","ref":""}]}]"#))
        do {
            _ = try await client.fetch(Route<[User]>.get("broken"))
            Issue.record("a broken answer became a value")
        } catch is CancellationError {
            Issue.record("nobody cancelled")
        } catch let error as CallError {
            #expect(error.stage == .dtoConversion)
            #expect(error.response?.status == 200)
            #expect(error.request?.url.path == "/broken")
            #expect(error.issues.map(\.path.description) == ["$[1].photos[0].ref"])
            #expect("\(error)".contains("$[1].photos[0].ref: missing"))
        }
    }

    @Test func reporting() async throws {
        let (server, client) = try await server()
        defer { server.stop() }
        let collected = CollectingReporter()
        server.on(.get, "/users", .json(#"[\#(ada),{"name":"B"}]"#))
        let users = try await client.fetch(.users, reporter: collected, mapping: .salvaging)
        #expect(users.map(\.name) == ["Ada"])
        for issue in collected.issues {
            #expect(issue.severity == .warning)
            #expect(issue.kind == .dropped)
            #expect(issue.groupingKey == "dropped $[] UserEntry")
        }
        #expect(collected.issues.map(\.path.description) == ["$[1]"])
    }
}
