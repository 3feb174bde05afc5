import Bilayer
import BilayerTesting
import Foundation
import Testing

private struct NoteEntry: Codable, RawMappable {
    let title: String?
}

/// A model whose conversion to an entry accepts an empty title with a warning and refuses a negative rank.
private struct Note: Sendable, DTOConvertible {
    var title = "t"
    var rank = 1

    static func from(dto: NoteEntry) throws -> Note { Note(title: dto.title.default("untitled", "title")) }

    func toDTO() throws -> NoteEntry {
        if rank < 0 { throw MappingError(MappingIssue(.brokenRule, path: [.key("rank")])) }
        if title.isEmpty {
            try MappingIssue(.usedDefault, severity: .warning, path: [.key("title")], found: .init(type: "nothing"))
                .reportOrThrow()
        }
        return NoteEntry(title: title.isEmpty ? nil : title)
    }
}

/// An entry whose writing accepts something with a warning.
private struct DraftEntry: RawEncodable, Sendable {
    func toRaw() throws -> Json {
        try MappingIssue(.coerced, severity: .warning, path: [.key("rank")]).reportOrThrow()
        return ["rank": "1"]
    }
}

private func save(_ note: Note) -> Route<Note> { .post("notes", body: note) }

extension MappingReport {
    fileprivate var line: String {
        ([side.rawValue] + issues.map { "\($0.severity) \($0.kind) \($0.path)" }).joined(separator: "; ")
    }
}

@Suite("Reports of every stage")
struct StageReportTests {
    private let stub = StubTransport(.json("{}"))
    private let collected = CollectingReporter()

    private var client: Client {
        var client = Client(baseURL: URL("https://api.example.com"), transport: stub)
        client.reporter = collected
        return client
    }

    private var lines: [String] { collected.reports.map(\.line) }

    @Test func theRequestsIssuesAreToldApartFromTheResponses() async throws {
        _ = try await client.fetch(save(Note(title: "")))
        #expect(lines == ["request; warning used default $.title", "response; info used default $.title"])
        let request = try #require(collected.reports.first)
        #expect(request.request?.url.path == "/notes" && request.response == nil)
        #expect(request.description.hasPrefix("request: 0 problems, 1 recovered   POST https://api.example.com/notes"))
        #expect(request.json["side"] == "request")
    }

    @Test func anEntrysWritingIsHeard() async throws {
        _ = try await client.fetch(Route<Json>.post("drafts", body: DraftEntry()))
        #expect(lines == ["request; warning coerced $.rank"])
    }

    @Test func aFailedConversionIsReportedOnceAndNothingIsSent() async throws {
        let error = await #expect(throws: CallError.self) { try await client.fetch(save(Note(rank: -1))) }
        #expect(error?.issues.map(\.path.description) == ["$.rank"])
        #expect(lines == ["request; error broken rule $.rank"])
        #expect(stub.requests.isEmpty)
    }

    @Test func theCallsPolicyHoldsForTheRequest() async throws {
        let error = await #expect(throws: CallError.self) {
            try await client.fetch(save(Note(title: "")), mapping: .strict)
        }
        #expect(error?.stage == .requestEncoding)
        #expect(lines == ["request; error used default $.title"])
    }

    @Test func aRouteWithoutAnAddressIsReported() async throws {
        await #expect(throws: CallError.self) { try await client.fetch(Route<Json>.get("notes/{id}", ["id": ""])) }
        #expect(lines == ["request; error failed $"])
        #expect(collected.issues.first?.underlyingError is RouteError)
    }

    @Test func aLostConnectionIsReportedAndSoIsWhatCameBefore() async throws {
        stub.on(.post, "/notes", .failure(TransportError(.connectionLost)))
        await #expect(throws: CallError.self) { try await client.fetch(save(Note(title: ""))) }
        #expect(lines == ["request; warning used default $.title", "transport; error failed $"])
        #expect(collected.reports.last?.endpoint?.name == "POST notes")
    }

    @Test(arguments: [StubTransport.Answer.status(500), .text("<html>", contentType: "text/html")])
    func aResponseOfAnotherKindIsReported(answer: StubTransport.Answer) async throws {
        stub.on(.get, "/notes", answer)
        await #expect(throws: CallError.self) { try await client.fetch(Route<[Note]>.get("notes")) }
        #expect(lines == ["response; error failed $"])
    }

    @Test func aFailingResponseIsReportedApartFromTheRequest() async throws {
        stub.on(.post, "/notes", .json(#"{"title":1}"#))
        await #expect(throws: CallError.self) { try await client.fetch(save(Note(title: ""))) }
        #expect(lines == ["request; warning used default $.title", "response; error wrong type $.title"])
    }

    @Test func retriesOfTheTransportReportTheRequestOnce() async throws {
        struct Thrice: Middleware {
            func intercept(
                _ input: HTTPRequest,
                in context: CallContext,
                next: some Node<HTTPRequest, HTTPResponse>
            ) async throws -> HTTPResponse {
                for _ in 0..<2 { _ = try await next.process(input, in: context) }
                return try await next.process(input, in: context)
            }
        }
        var client = client
        client.transport = AnyNode(client.transport.wrapped(by: Thrice()))
        _ = try await client.fetch(save(Note(title: "")))
        #expect(lines == ["request; warning used default $.title", "response; info used default $.title"])
        #expect(stub.requests.count == 3)
    }

    @Test func anIssueThatTheTransportFindsIsItsOwn() async throws {
        struct Refresh: Middleware {
            func intercept(
                _ input: HTTPRequest,
                in context: CallContext,
                next: some Node<HTTPRequest, HTTPResponse>
            ) async throws -> HTTPResponse {
                _ = try context.mapping { try Note.from(dto: NoteEntry(title: nil)) }
                return try await next.process(input, in: context)
            }
        }
        var client = client
        client.transport = AnyNode(client.transport.wrapped(by: Refresh()))
        _ = try await client.fetch(Route<Json>.get("notes"))
        #expect(lines == ["transport; info used default $.title"])
    }

    @Test func aCancelledCallIsNoFailure() async throws {
        stub.on(.get, "/notes", .hold)
        let client = client
        let task = Task { try await client.fetch(Route<Json>.get("notes")) }
        while stub.requests.isEmpty { await Task.yield() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(lines.isEmpty)
    }

    @Test func aCountingReporterCountsTheSidesApart() {
        let counting = CountingReporter()
        let issue = MappingIssue(.missing, path: [.key("name")])
        for side in [MappingReport.Side.request, .response, .response] {
            counting.report(MappingReport(issues: [issue], side: side))
        }
        #expect(counting.counts == ["request: missing $.name -": 1, "missing $.name -": 2])
    }

    @Test func valuesAreShownFromTheBodyOfTheReportsSide() async throws {
        stub.on(.post, "/notes", .json(#"{"title":null}"#))
        _ = try await client.fetch(Route<Note>.post("notes", body: ["title": "sent"] as Json).adding(request: Noted()))
        let report = try #require(collected.reports.first { $0.side == .request })
        #expect(report.showing(.all).issues.first?.shownValue == #""sent""#)
    }

    /// Reports an issue of the request's title.
    private struct Noted: Node {
        func process(_ request: HTTPRequest, in context: CallContext) async throws -> HTTPRequest {
            try context.mapping {
                MappingIssue(.coerced, severity: .warning, path: [.key("title")]).report()
                return request
            }
        }
    }
}
