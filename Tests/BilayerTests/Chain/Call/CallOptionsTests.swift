import Bilayer
import BilayerTesting
import Foundation
import Testing

private enum Mood: String, CallOption { case calm, hasty }
private struct Label: CallOption { let text: String }

@Suite("CallOptions: settings of client and route for middlewares")
struct CallOptionsTests {
    private static func mood(of route: Route<Json>, client: Mood?) async throws -> String? {
        let client =
            client.map { mood in
                var client = Self.client()
                client.options[Mood.self] = mood
                client.options[Label.self] = Label(text: "kept")
                return client
            } ?? Self.client()
        return try await client.fetch(route)["mood"]?.string
    }

    /// A client whose transport answers with the call's option `Mood`.
    private static func client() -> Client {
        Client(
            baseURL: URL("https://api.example.com"),
            transport: AnyNode { _, context in
                let mood = context.options[Mood.self]?.rawValue ?? "none"
                return HTTPResponse(status: 200, body: Data(#"{"mood":"\#(mood)"}"#.utf8))
            }
        )
    }

    @Test func aRoutesOptionReplacesTheClients() async throws {
        let plain = Route<Json>.get("a")
        #expect(try await Self.mood(of: plain, client: nil) == "none")
        #expect(try await Self.mood(of: plain, client: .calm) == "calm")
        #expect(try await Self.mood(of: plain.with(option: Mood.hasty), client: nil) == "hasty")
        #expect(try await Self.mood(of: plain.with(option: Mood.hasty), client: .calm) == "hasty")
    }

    @Test func aPartOfAnAnswerKeepsTheRoutesOptions() async throws {
        let route = Route<Json>.get("a").with(option: Mood.hasty).at("mood")
        #expect(try await Self.client().fetch(route).string == "hasty")
    }

    @Test func optionsOfOtherTypesStay() {
        var options = CallOptions()
        options[Label.self] = Label(text: "a")
        options[Mood.self] = .calm
        options[Mood.self] = nil
        #expect(options[Mood.self] == nil)
        #expect(options[Label.self]?.text == "a")
    }
}
