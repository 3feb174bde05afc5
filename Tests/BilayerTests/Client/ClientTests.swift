import Bilayer
import BilayerTesting
import Foundation
import Testing

struct PhotoEntry: Codable, RawMappable, Hashable {
    let id: String
    let ref: String
}

struct UserEntry: Codable, RawMappable, Hashable {
    let name: String
    let photos: [PhotoEntry]
}

struct Photo: Hashable, DTOConvertible {
    let id: String
    let image: URL

    static func from(dto: PhotoEntry) throws -> Photo {
        try Photo(id: dto.id, image: URL(string: dto.ref).require("ref"))
    }
    func toDTO() throws -> PhotoEntry { PhotoEntry(id: id, ref: image.absoluteString) }
}

struct User: Hashable, DTODecodable {
    let name: String
    let photos: [Photo]

    static func from(dto: UserEntry) throws -> User {
        try User(name: dto.name, photos: .from(dto: dto.photos, at: "photos"))
    }
}

struct ProblemEntry: Codable, RawDecodable, Hashable {
    let title: String
}

extension Route where Response == [User] {
    static var users: Route { .get("users") }
    static func users(olderThan age: Int) -> Route { .get("users", query: ["older_than": age]) }
}
extension Route where Response == User? {
    static func user(_ id: Int) -> Route { .get("users/{id}", ["id": id]) }
}
extension Route where Response == User {
    static func owner(_ id: Int) -> Route { .get("users/{id}", ["id": id]) }
}
extension Route where Response == [User?] { static var seats: Route { .get("seats") } }
extension Route where Response == [String: [User]] { static var teams: Route { .get("teams") } }
extension Route where Response == Photo {
    static func add(_ photo: Photo, to user: Int) -> Route { .post("users/{id}/photos", ["id": user], body: photo) }
}
extension Route where Response == [UserEntry] { static var userEntries: Route { .get("users") } }
extension Route where Response == Json {
    static var health: Route { .get("health") }
    static func search(_ query: Json) -> Route { .post("search", body: query) }
}
extension Route where Response == Data { static var file: Route { .get("file") } }
extension Route where Response == String { static var version: Route { .get("version") } }
extension Route where Response == Void { static func remove(_ id: Int) -> Route { .delete("users/{id}", ["id": id]) } }
extension Route where Response == NoContent { static func touch(_ id: Int) -> Route { .put("users/{id}", ["id": id]) } }

private let ada = #"{"name":"Ada","photos":[{"id":"p1","ref":"https://img.example.com/1"}]}"#
private let adaModel = User(name: "Ada", photos: [Photo(id: "p1", image: URL("https://img.example.com/1"))])

private func client(_ stub: StubTransport) -> Client {
    Client(baseURL: URL("https://api.example.com/v1"), transport: stub)
}

@Suite("Client")
struct ClientTests {
    private let stub = StubTransport()

    @Test func aModelComesThroughBothLayers() async throws {
        stub.on(.get, "/v1/users", .json("[\(ada)]"))
        #expect(try await client(stub).fetch(.users) == [adaModel])
        #expect(try await client(stub).fetch(.userEntries).map(\.name) == ["Ada"])
    }

    @Test func collectionsOfModelsAreResponses() async throws {
        stub.on(.get, "/v1/seats", .json("[null,\(ada)]"))
        stub.on(.get, "/v1/teams", .json(#"{"red":[\#(ada)],"blue":[]}"#))
        #expect(try await client(stub).fetch(.seats) == [nil, adaModel])
        #expect(try await client(stub).fetch(.teams) == ["red": [adaModel], "blue": []])
    }

    @Test func noLayerGivesWhatCame() async throws {
        stub.on(.get, "/v1/health", .json(#"{"status":"up","checks":[{"name":"db"}]}"#))
        stub.on(.get, "/v1/file", .data(Data([0, 255])))
        stub.on(.get, "/v1/version", .text("1.2.3"))
        let json = try await client(stub).fetch(.health)
        #expect(json["status"]?.string == "up")
        #expect(json.path("checks[0].name")?.string == "db")
        #expect(try await client(stub).fetch(.file) == Data([0, 255]))
        #expect(try await client(stub).fetch(.version) == "1.2.3")
    }

    @Test func anEmptyAnswerFitsOptionalNoContentAndVoid() async throws {
        stub.on(.get, "/v1/users/7", .status(204))
        stub.on(.delete, "/v1/users/7", .status(204))
        stub.on(.put, "/v1/users/7", .status(200))
        #expect(try await client(stub).fetch(.user(7)) == nil)
        try await client(stub).fetch(.remove(7))
        #expect(try await client(stub).fetch(.touch(7)) == NoContent())
    }

    /// The README says so.
    @Test(arguments: [StubTransport.Answer.json("null"), .status(204), .status(205)])
    func nullAndABodilessStatusAreNil(answer: StubTransport.Answer) async throws {
        stub.on(.get, "/v1/users/7", answer)
        #expect(try await client(stub).fetch(.user(7)) == nil)
    }

    /// The README says so.
    @Test(arguments: [
        (StubTransport.Answer.json("null", status: 404), 404 as HTTPStatus),
        (.status(404), 404), (.status(200), 200),
    ])
    func a404AndAnEmptyBodyAreErrorsOfAnOptionalResponse(answer: StubTransport.Answer, status: HTTPStatus) async throws
    {
        stub.on(.get, "/v1/users/7", answer)
        let error = await #expect(throws: CallError.self) { try await client(stub).fetch(.user(7)) }
        #expect(error?.stage == .rawMapping)
        #expect(error?.status == status)
    }

    @Test(arguments: [
        (StubTransport.Answer.status(204), "found an empty body"),
        (.status(200), "found an empty body"),
        (.json("null"), "$: null: expected"),
    ])
    func anEmptyAnswerIsAnErrorForAModelThatNeedsOne(answer: StubTransport.Answer, reason: String) async throws {
        stub.on(.get, "/v1/users/7", answer)
        let error = await #expect(throws: CallError.self) { try await client(stub).fetch(.owner(7)) }
        #expect(error?.stage == .rawMapping)
        let text = try #require(error?.description)
        #expect(text.contains(reason), "\(text)")
    }

    @Test func aBodyGoesDownBothLayers() async throws {
        stub.on(.post, "/v1/users/7/photos", .json(#"{"id":"p9","ref":"https://img.example.com/9"}"#, status: 201))
        let photo = Photo(id: "p9", image: URL("https://img.example.com/9"))
        #expect(try await client(stub).fetch(.add(photo, to: 7)) == photo)
        let request = try #require(stub.requests.first)
        #expect(try Json(parsing: request.body?.data ?? Data()) == ["id": "p9", "ref": "https://img.example.com/9"])
        #expect(request.headers[.contentType] == "application/json")
        #expect(request.headers[.accept] == "application/json")
    }

    @Test func jsonMayBeTheBody() async throws {
        stub.on(.post, "/v1/search", .json("{}"))
        _ = try await client(stub).fetch(.search(["q": "a", "limit": 3]))
        #expect(stub.requests.first?.body?.data == Data(#"{"q":"a","limit":3}"#.utf8))
    }

    @Test func aRouteWithoutABodySendsNone() async throws {
        stub.on(.delete, "/v1/users/7", .status(204))
        try await client(stub).fetch(.remove(7))
        #expect(stub.requests.first?.body == nil)
        #expect(stub.requests.first?.headers[.contentType] == nil)
    }

    @Test(
        arguments: [
            ("GET", Route<Json>.get("x")), ("POST", .post("x")), ("PUT", .put("x")), ("PATCH", .patch("x")),
            ("DELETE", .delete("x")), ("HEAD", .head("x")), ("PURGE", .method("PURGE")("x")),
        ] as [(String, Route<Json>)]
    )
    func everyMethod(name: String, route: Route<Json>) async throws {
        let stub = StubTransport(.json("1"))
        _ = try await client(stub).fetch(route)
        #expect(stub.requests.first?.method.rawValue == name)
    }

    @Test func theClientsHeadersAreSentAndTheRoutesWin() async throws {
        stub.on(.get, "/v1/health", .json("{}"))
        var client = client(stub)
        client.headers = ["X-App": "1", "Accept-Language": "en"]
        _ = try await client.fetch(.health.with(headers: ["accept-language": "de"]))
        #expect(stub.requests.first?.headers["x-app"] == "1")
        #expect(stub.requests.first?.headers.values(for: "Accept-Language") == ["de"])
    }

    @Test func theLongestWaitComesFromTheRouteOrTheClient() async throws {
        stub.on(.get, "/v1/health", .json("{}"))
        var client = client(stub)
        client.timeout = .seconds(9)
        _ = try await client.fetch(.health)
        _ = try await client.fetch(.health.with(timeout: .seconds(2)))
        #expect(stub.requests.map(\.timeout) == [.seconds(9), .seconds(2)])
    }

    @Test func sendGivesStatusAndHeadersBesideTheValue() async throws {
        stub.on(.get, "/v1/health", .json("{}", status: 203, headers: ["X-Trace": "t"]))
        let answer = try await client(stub).send(.health)
        #expect(answer.value == [:])
        #expect(answer.response?.status == 203)
        #expect(answer.response?.headers["x-trace"] == "t")
    }

    @Test func theContextKnowsTheRoute() async throws {
        stub.on(.get, "/v1/users/7", .status(204))
        var client = client(stub)
        client.request.append { request, context in
            context.note("\(context.endpoint?.name ?? "-") id=\(context.endpoint?.arguments["id"] ?? "-")")
            return request
        }
        #expect(try await client.send(.user(7)).events.map(\.text) == ["GET users/{id} id=7"])
    }
}

@Suite("Client: refused headers")
struct ClientRefusedHeaderTests {
    /// A header that cannot be sent is an error, however it was set. Without it, the call would have another
    /// credential, or none.
    @Test(arguments: ["Bearer abc\n", "a\rb", "\0"])
    func theyStopTheCallWhereverTheyAreSet(value: String) async throws {
        let refused: HTTPHeaders = ["Authorization": value]
        let plain = Route<Json>.get("users")
        let cases: [(client: HTTPHeaders, route: Route<Json>)] = [
            ([:], .get("users", headers: refused)), ([:], plain.with(headers: refused)),
            (["Authorization": "Bearer good"], .get("users", headers: refused)),
            (["Authorization": "Bearer good"], plain.with(headers: refused)),
            (refused, plain), (refused, plain.with(headers: ["X-Tag": "1"])), (refused, plain.with(headers: refused)),
        ]
        for (headers, route) in cases {
            let transport = StubTransport(.json("[]"))
            var client = Client(baseURL: URL("https://example.com"), transport: transport)
            client.headers = headers
            let error = await #expect(throws: CallError.self) { try await client.fetch(route) }
            #expect((error?.underlyingError as? TransportError)?.kind == .invalidRequest)
            #expect(transport.requests.isEmpty)
        }
    }

    @Test func aRoutesHeaderReplacesARefusedOneOfTheClient() async throws {
        let transport = StubTransport(.json("[]"))
        var client = Client(baseURL: URL("https://example.com"), transport: transport)
        client.headers = ["Authorization": "a\rb"]
        _ = try await client.fetch(Route<Json>.get("users", headers: ["Authorization": "Bearer good"]))
        #expect(transport.requests.map { $0.headers[.authorization] } == ["Bearer good"])
    }
}

@Suite("Client: what the server does wrong")
struct ClientFailureTests {
    private let stub = StubTransport()

    @Test(arguments: [300, 302, 304, 400, 401, 402, 403, 404, 409, 422, 429, 500, 502, 503, 599])
    func everyOtherStatusIsAnErrorThatKeepsStatusHeadersAndBody(code: Int) async throws {
        stub.on(.get, "/v1/users", .json(#"[{"broken":1}]"#, status: HTTPStatus(code), headers: ["Retry-After": "3"]))
        let error = await #expect(throws: CallError.self) { try await client(stub).fetch(.users) }
        #expect(error?.status == HTTPStatus(code))
        #expect(error?.response?.headers[.retryAfter] == "3")
        #expect(error?.response?.body == Data(#"[{"broken":1}]"#.utf8))
        #expect(error?.stage == .rawMapping)
        #expect(error?.underlyingError is StatusError)
        #expect(error?.issues.isEmpty == true)
    }

    @Test(arguments: [404, 500]) func anEmptyFailureKeepsItsStatus(code: Int) async throws {
        stub.on(.get, "/v1/users", .status(HTTPStatus(code)))
        let error = await #expect(throws: CallError.self) {
            try await client(stub).fetch(.users.failing(with: ProblemEntry.self))
        }
        #expect(error?.status == HTTPStatus(code))
        #expect(error?.failure(as: ProblemEntry.self) == nil)
    }

    @Test func aDeclaredFailureIsDecoded() async throws {
        struct Problem: DTODecodable, Hashable {
            let text: String
            static func from(dto: ProblemEntry) throws -> Problem { Problem(text: dto.title) }
        }
        stub.on(.get, "/v1/users", .json(#"{"title":"Out of stock"}"#, status: 409))
        let entry = await #expect(throws: CallError.self) {
            try await client(stub).fetch(.users.failing(with: ProblemEntry.self))
        }
        #expect(entry?.failure(as: ProblemEntry.self)?.title == "Out of stock")
        #expect(entry?.failure(as: Problem.self) == nil)
        let model = await #expect(throws: CallError.self) {
            try await client(stub).fetch(.users.failing(with: Problem.self))
        }
        #expect(model?.failure(as: Problem.self) == Problem(text: "Out of stock"))
        #expect(model?.response?.status == 409)
        #expect(model?.description.contains("Out of stock") == false)
    }

    @Test func aFailureThatIsNotWhatWasDeclaredSaysWhy() async throws {
        stub.on(.get, "/v1/users", .json(#"{"message":"x"}"#, status: 409))
        let error = await #expect(throws: CallError.self) {
            try await client(stub).fetch(.users.failing(with: ProblemEntry.self))
        }
        #expect(error?.status == 409)
        let status = try #require(error?.underlyingError as? StatusError)
        #expect((status.unreadable as? MappingError)?.path == [.key("title")])
        #expect(error?.issues.map(\.path.description) == ["$.title"])
        #expect(
            error?.description
                .hasSuffix("status 409 Conflict, its body could not be read: \(status.unreadable ?? status)") == true
        )
    }

    @Test func aPageOfHTMLIsNamedAsWhatItIs() async throws {
        stub.on(.get, "/v1/users", .text("<html>maintenance</html>", contentType: "text/html; charset=utf-8"))
        let error = await #expect(throws: CallError.self) { try await client(stub).fetch(.users) }
        let text = try #require(error?.description)
        #expect(text.contains("expected application/json, found text/html (24 B)"))
        #expect(!text.contains("maintenance"))
    }

    @Test func jsonUnderAWrongContentTypeIsStillRead() async throws {
        stub.on(.get, "/v1/users", .text("[]", contentType: "text/plain"))
        #expect(try await client(stub).fetch(.users) == [])
    }

    @Test func brokenJsonTellsWhere() async throws {
        stub.on(.get, "/v1/users", .json("[\n  {\"name\": tru}\n]"))
        let error = await #expect(throws: CallError.self) { try await client(stub).fetch(.users) }
        let body = try #require(error?.underlyingError as? BodyError)
        let syntax = try #require(body.underlyingError as? JsonSyntaxError)
        #expect(syntax.line == 2)
        #expect(error?.description.contains("line 2") == true)
    }

    @Test func aFaultInTheUpperLayerTellsWhere() async throws {
        stub.on(.get, "/v1/users", .json(#"[\#(ada),{"name":"B","photos":[{"id":"p","ref":""}]}]"#))
        let error = await #expect(throws: CallError.self) { try await client(stub).fetch(.users) }
        #expect(error?.stage == .dtoConversion)
        #expect(error?.issues.map(\.path.description) == ["$[1].photos[0].ref"])
        #expect(error?.issues.first?.owner == "PhotoEntry -> Photo")
    }

    @Test func aRouteThatMakesNoAddressFailsBeforeAnythingIsSent() async throws {
        let error = await #expect(throws: CallError.self) {
            try await client(stub).fetch(Route<Json>.get("users/{id}", ["id": ""]))
        }
        #expect(error?.stage == .requestEncoding)
        #expect(stub.requests.isEmpty)
    }

    @Test func aLostConnectionIsNeverAnEmptySuccess() async throws {
        stub.on(.get, "/v1/users", .failure(TransportError(.connectionLost)))
        let error = await #expect(throws: CallError.self) { try await client(stub).fetch(.users) }
        #expect(error?.stage == .transport)
        #expect((error?.underlyingError as? TransportError)?.kind == .connectionLost)
    }
}
