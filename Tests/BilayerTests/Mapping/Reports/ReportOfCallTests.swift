import Bilayer
import Foundation
import Testing

private struct Fault: Error {}

private struct RefusalEntry: Codable, RawDecodable, Sendable {
    let detail: String
}

private struct NoteEntry: Codable, RawMappable, Sendable {
    let title: String?
    let rank: Int?
}

/// A model that takes a missing title and refuses a negative rank, in both directions.
private struct Note: DTOConvertible, Sendable {
    var title: String? = "title"
    var rank = 1

    static func from(dto: NoteEntry) throws -> Note {
        Note(title: dto.title.default("untitled", "title"), rank: try accepted(dto.rank ?? 1))
    }

    func toDTO() throws -> NoteEntry {
        NoteEntry(title: title.default("untitled", "title"), rank: try Note.accepted(rank))
    }

    private static func accepted(_ rank: Int) throws -> Int {
        if rank < 0 { throw MappingError(MappingIssue(.brokenRule, path: [.key("rank")])) }
        return rank
    }
}

/// Sends the request twice at most.
private struct Retry: Middleware {
    var wait: @Sendable () throws -> Void = {}

    func intercept(
        _ input: HTTPRequest,
        in context: CallContext,
        next: some Node<HTTPRequest, HTTPResponse>
    ) async throws -> HTTPResponse {
        do {
            let response = try await next.process(input, in: context)
            if response.status.isSuccess { return response }
        } catch is Fault {}
        try wait()
        return try await next.process(input, in: context)
    }
}

/// Fails before the nodes inside run, or after.
private struct Failing: Middleware {
    let isEarly: Bool

    func intercept(
        _ input: HTTPRequest,
        in context: CallContext,
        next: some Node<HTTPRequest, HTTPResponse>
    ) async throws -> HTTPResponse {
        if !isEarly { _ = try await next.process(input, in: context) }
        throw Fault()
    }
}

private struct FailingNode: PassthroughNode {
    var error: any Error = Fault()

    func process<Value: Sendable>(_ value: Value, in context: CallContext) async throws -> Value { throw error }
}

/// A row of the table in the documentation of `MappingReporter`: a call, and what its reporter receives.
private struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let expected: [String]
    var route = Route<Note>.get("notes")
    var answers = [#"{"title":"first"}"#]
    var status = HTTPStatus(200)
    var change: @Sendable (inout Client) -> Void = { _ in }

    func client() -> Client {
        let answers = Answers(answers, status)
        let transport = AnyNode<HTTPRequest, HTTPResponse> { _, _ in try await answers.next() }
        var client = Client(baseURL: URL("https://api.example.com"), transport: transport)
        change(&client)
        return client
    }
}

/// The bodies of the responses in order. An empty one is a lost connection, and the last one repeats.
private actor Answers {
    private var bodies: [String]
    private let status: HTTPStatus

    init(_ bodies: [String], _ status: HTTPStatus) {
        self.bodies = bodies
        self.status = status
    }

    func next() throws -> HTTPResponse {
        let body = bodies.count > 1 ? bodies.removeFirst() : bodies[0]
        if body.isEmpty { throw Fault() }
        return HTTPResponse(status: status, headers: [.contentType: "application/json"], body: Data(body.utf8))
    }
}

extension Row {
    private static func saving(_ note: Note) -> Route<Note> { .post("notes", body: note) }

    private static let failed = ["request", "transport", "response"].map { ["\($0): error failed $"] }

    static let nothing = [
        Row(testDescription: "a valid response", expected: []),
        Row(
            testDescription: "a retry that succeeds",
            expected: [],
            answers: ["", #"{"title":"second"}"#],
            change: { $0.transport = AnyNode($0.transport.wrapped(by: Retry())) }
        ),
        Row(
            testDescription: "a cancel in the transport",
            expected: [],
            change: { $0.transport = AnyNode { _, _ in throw CancellationError() } }
        ),
        Row(
            testDescription: "a cancel while a retry waits",
            expected: [],
            answers: [""],
            change: { $0.transport = AnyNode($0.transport.wrapped(by: Retry { throw CancellationError() })) }
        ),
    ]

    static let accepted = [
        Row(
            testDescription: "an accepted value of the request",
            expected: ["request: info used default $.title"],
            route: saving(Note(title: nil))
        ),
        Row(
            testDescription: "an accepted value of the response",
            expected: ["response: info used default $.title"],
            answers: ["{}"]
        ),
        Row(
            testDescription: "a cancel after an accepted value",
            expected: ["response: info used default $.title"],
            answers: ["{}"],
            change: { $0.model.append(FailingNode(error: CancellationError())) }
        ),
        Row(
            testDescription: "an accepted value before a failure of a node",
            expected: ["response: error failed $; info used default $.title"],
            answers: ["{}"],
            change: { $0.model.append(FailingNode()) }
        ),
    ]

    static let request = [
        Row(
            testDescription: "a refused value of the request",
            expected: ["request: error broken rule $.rank"],
            route: saving(Note(rank: -1))
        ),
        Row(
            testDescription: "a route without an address",
            expected: failed[0],
            route: .get("notes/{id}", ["id": ""])
        ),
        Row(
            testDescription: "a node of the request",
            expected: failed[0],
            change: { $0.request.append { _, _ in throw Fault() } }
        ),
    ]

    static let transport = [
        Row(testDescription: "a lost connection", expected: failed[1], answers: [""]),
        Row(
            testDescription: "a middleware before the transport",
            expected: failed[1],
            change: { $0.transport = AnyNode($0.transport.wrapped(by: Failing(isEarly: true))) }
        ),
        Row(
            testDescription: "a middleware after the response",
            expected: failed[1],
            change: { $0.transport = AnyNode($0.transport.wrapped(by: Failing(isEarly: false))) }
        ),
        Row(
            testDescription: "a retry whose attempts all fail",
            expected: failed[1],
            answers: [""],
            change: { $0.transport = AnyNode($0.transport.wrapped(by: Retry())) }
        ),
        Row(
            testDescription: "a retry whose waiting fails",
            expected: failed[1],
            answers: [""],
            change: { $0.transport = AnyNode($0.transport.wrapped(by: Retry { throw TransportError(.timedOut) })) }
        ),
    ]

    static let response = [
        Row(testDescription: "a status other than 2xx", expected: failed[2], status: 500),
        Row(
            testDescription: "a retry whose last response has a status other than 2xx",
            expected: failed[2],
            status: 503,
            change: { $0.transport = AnyNode($0.transport.wrapped(by: Retry())) }
        ),
        Row(
            testDescription: "a status with the declared failure",
            expected: failed[2],
            route: .get("notes").failing(with: RefusalEntry.self),
            answers: [#"{"detail":"no such note"}"#],
            status: 404
        ),
        Row(
            testDescription: "a status with another body than the declared failure",
            expected: failed[2],
            route: .get("notes").failing(with: RefusalEntry.self),
            answers: [#"{"detail":1}"#],
            status: 404
        ),
        Row(testDescription: "a body that is not JSON", expected: failed[2], answers: ["<html>"]),
        Row(
            testDescription: "a node of the raw value",
            expected: failed[2],
            change: { $0.raw.append { _, _ in throw Fault() } }
        ),
        Row(
            testDescription: "a node of the entry",
            expected: failed[2],
            change: { $0.entry.append(FailingNode()) }
        ),
        Row(
            testDescription: "a node of the model",
            expected: failed[2],
            change: { $0.model.append(FailingNode()) }
        ),
        Row(
            testDescription: "a value that the entry refuses",
            expected: ["response: error wrong type $.rank"],
            answers: [#"{"rank":"first"}"#]
        ),
        Row(
            testDescription: "a value that the model refuses",
            expected: ["response: error broken rule $.rank; info used default $.title"],
            answers: [#"{"rank":-1}"#]
        ),
    ]
}

extension MappingReport {
    fileprivate var line: String {
        "\(side): " + issues.map { "\($0.severity) \($0.kind) \($0.path)" }.joined(separator: "; ")
    }
}

@Suite("What a reporter receives of a call")
struct ReportOfCallTests {
    @Test(arguments: Row.nothing + Row.accepted + Row.request + Row.transport + Row.response)
    fileprivate func oneReportForEachSideThatHasIssues(row: Row) async throws {
        let collected = CollectingReporter()
        _ = try? await row.client().fetch(row.route, reporter: collected)
        #expect(collected.reports.map(\.line) == row.expected)
        #expect(collected.reports.allSatisfy { $0.side == .response || $0.response == nil })
    }

    @Test(arguments: Row.request + Row.transport + Row.response)
    fileprivate func theFailureThatIsReportedIsTheOneThatIsThrown(row: Row) async throws {
        let collected = CollectingReporter()
        let error = try #require(
            await #expect(throws: CallError.self) { try await row.client().fetch(row.route, reporter: collected) }
        )
        let report = try #require(collected.reports.first)
        #expect(report.callID == error.callID && report.request == error.request && report.response == error.response)
        let first = try #require(report.issues.first)
        #expect(first.severity == .error)
        // After a `StatusError`, the error's issues say why no failure was read from the body, not why the call failed.
        if let issue = error.issues.first, !(error.underlyingError is StatusError) {
            #expect(first.path == issue.path && first.kind == issue.kind)
        } else {
            #expect(first.underlyingError.map { type(of: $0) } == type(of: error.underlyingError))
        }
    }
}
