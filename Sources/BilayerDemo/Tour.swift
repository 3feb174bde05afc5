import Bilayer
import BilayerTesting
import Foundation

/// Makes real calls over loopback, step by step. Each step checks what it shows. An unexpected result ends the demo
/// with an error.
struct Tour {
    let server: FaultServer
    let client: Client

    static func run() async throws {
        let server = try await FaultServer.start()
        defer { server.stop() }
        server.scriptTour()
        print(introduction(server.url))
        let tour = Tour(server: server, client: .narrated(baseURL: server.url))
        try await tour.list()
        try await tour.single()
        try await tour.post()
        try await tour.broken()
        try await tour.customNode()
        try await tour.stream()
        try await tour.pages()
        try await tour.form()
        try await tour.files()
        try await tour.graphQL()
        try await tour.migration()
        print("\nAll steps went as they should.")
    }

    private static func introduction(_ url: URL) -> String {
        """
        Bilayer: what the server speaks on one side, what the app speaks on the other, small nodes in between.

            model --convert--> entry --map--> Json --encode--> HTTPRequest
                                                                   | transport
            model <--convert-- entry <--map-- Json <--parse--- HTTPResponse

        The server is \(url.absoluteString), on sockets of its own; the calls are real.
        """
    }
}

// MARK: - Steps

extension Tour {
    private func list() async throws {
        try begin(1, "A list, up through both layers", "client.fetch(.users)  // [User], by inference")
        tell("pipeline", client.pipeline(for: .users).description.replacing(" | ", with: "\n"))
        let users = try await client.fetch(.users)
        try check(
            users.map(\.name) == ["Ada", "Grace"] && users.map(\.isOwner) == [true, false],
            "two users, in the app's words"
        )
        try check(users.first?.photos.first?.image.host() == "img.example", "a string became a URL on the way")
    }

    private func single() async throws {
        try begin(2, "One user, or none", "client.fetch(.user(7))  // User?")
        let user = try await client.fetch(.user(7))
        try check(user?.name == "Ada", "the user is there")
        let nobody = try await client.fetch(.user(8))
        try check(nobody == nil, "null is nil")
    }

    private func post() async throws {
        let photo = Photo(id: "p9", image: try address("https://img.example/9.png"))
        try begin(3, "A model, down both layers and up again", "client.fetch(.add(photo, to: 7))  // Photo")
        tell("model", "\(photo)")
        tell("entry", "\(try photo.toDTO())")
        tell("Json", "\(try photo.toDTO().toRaw())")
        let stored = try await client.fetch(.add(photo, to: 7))
        let received = try Json(parsing: server.requests.last?.body ?? Data())
        try check(received == ["id": "p9", "ref": "https://img.example/9.png"], "the server read what was sent")
        try check(stored.id == "p9" && stored.image == photo.image, "and its answer is the photo again")
    }

    private func broken() async throws {
        try begin(4, "Answers that break the contract", "do { ... } catch let error as CallError { print(error) }")
        for (path, stage) in [("$[1].age", CallError.Stage.rawMapping), ("$[0].photos[0].ref", .dtoConversion)] {
            let error = try await failure { try await client.fetch(.users) }
            tell("error", error.description)
            try check(error.stage == stage, "stopped in the stage \"\(stage)\"")
            try check(error.issues.map(\.path.description) == [path], "found at \(path)")
            try check(error.response?.body.isEmpty == false, "the error keeps the server's answer")
        }
    }

    private func customNode() async throws {
        try begin(
            5,
            "A node of one's own",
            #"Route.get("team").adding(raw: AnyNode { json, _ in json["data"] ?? json })"#
        )
        tell("pipeline", client.pipeline(for: .team).description.replacing(" | ", with: "\n"))
        let team = try await client.fetch(.team)
        try check(team.map(\.name) == ["Grace"], "the envelope is off")
    }
}

// MARK: - Tools

extension Tour {
    func begin(_ number: Int, _ title: String, _ code: String) throws {
        print("\n\(number). \(title)\n")
        tell("code", code)
    }

    func check(_ condition: Bool, _ claim: String) throws {
        guard condition else { throw Surprise(claim: claim) }
        tell("ok", claim)
    }

    /// Returns the error of a call that must fail.
    private func failure<Value>(of call: () async throws -> Value) async throws -> CallError {
        do {
            _ = try await call()
        } catch let error as CallError {
            return error
        }
        throw Surprise(claim: "the call fails")
    }

    private func address(_ text: String) throws -> URL {
        guard let url = URL(string: text) else { throw Surprise(claim: "\(text) is a URL") }
        return url
    }
}

/// The error of the demo if a result was not as expected.
struct Surprise: Error, CustomStringConvertible {
    let claim: String

    var description: String { "this should have been so, and was not: \(claim)" }
}
