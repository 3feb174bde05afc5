import Bilayer
import BilayerTesting
import Foundation
import Testing

@Suite("GraphQL over HTTP: what a client must do")
struct GraphQLTests {
    let stub = StubTransport()
    var client: Client { Client(baseURL: URL("https://example.com/v1"), transport: stub) }

    func answer(
        _ text: String,
        status: HTTPStatus = 200,
        type: String = GraphQLText.response
    ) -> StubTransport.Answer {
        .data(Data(text.utf8), contentType: type, status: status)
    }

    // MARK: Requests (§5)

    @Test func aQueryIsSentAgainAndAMutationIsNot() async throws {
        let stub = StubTransport()
        stub.on(.post, "/graphql", .status(503), .json(#"{"data":{"version":"1"}}"#))
        let retry = RetryPolicy.exponential(attempts: 2, firstWait: .zero)
        let transport = AnyNode(stub.wrapped(by: .retry(retry)))
        let client = Client(baseURL: URL("https://example.com"), transport: transport)
        #expect(try await client.fetch(Route<VersionQuery.Data>.graphQL(VersionQuery())).version == "1")
        stub.on(.post, "/graphql", .status(503), .json(#"{"data":{}}"#))
        let error = await #expect(throws: CallError.self) {
            try await client.fetch(Route<RenameTrip.Data>.graphQL(RenameTrip(variables: .init(id: "7"))))
        }
        #expect(error?.status == 503)
    }

    @Test("§5.4: a POST has the parameters as a JSON object")
    func aPostHasTheParametersAsItsBody() async throws {
        stub.on(.post, "/v1/graphql", answer(GraphQLText.whole))
        _ = try await client.fetch(.trip("7"))
        let request = try #require(stub.requests.first)
        #expect(request.headers[.contentType] == "application/json")
        #expect(request.headers[.accept] == "application/graphql-response+json, application/json;q=0.9")
        let body = try Json(parsing: try #require(request.body?.data))
        #expect(
            body == [
                "operationName": "Trip", "query": Json(TripQuery.document), "variables": ["id": "7"],
            ]
        )
    }

    @Test("a variable has the name that the document gives it, whatever the client's naming is")
    func variablesUnderANaming() async throws {
        struct Schedule: GraphQLOperation {
            static let document = "mutation M($startsAt: String!, $time_zone: String, $slot: Slot) { schedule { id } }"
            struct Slot: Codable { let roomNumber: Int }
            struct Variables: Codable, RawMappable {
                let startsAt: String
                let timeZone: String
                let slot: Slot
            }
            struct Data: Codable, RawMappable { let schedule: Json? }
            var variables: Variables { Variables(startsAt: "9", timeZone: "Z", slot: Slot(roomNumber: 7)) }
        }
        stub.on(.post, "/v1/graphql", answer(#"{"data":{"schedule":null}}"#))
        var client = client
        client.conventions.keys = .snakeCase
        _ = try await client.fetch(Route<Schedule.Data>.graphQL(Schedule()))
        let body = try Json(parsing: try #require(stub.requests.first?.body?.data))
        #expect(body["variables"] == ["startsAt": "9", "time_zone": "Z", "slot": ["room_number": 7]])
    }

    @Test("§5.3: a GET has the parameters in its query, in place of a body")
    func aGetHasTheParametersInItsQuery() async throws {
        stub.on(.get, "/v1/graphql", answer(GraphQLText.whole))
        let route = Route<TripQuery.Data>.graphQL(TripQuery("a&b=ü +"), by: .get)
        _ = try await client.fetch(route)
        let request = try #require(stub.requests.first)
        #expect(request.body == nil)
        #expect(request.headers[.contentType] == nil)
        let items = URLComponents(url: request.url, resolvingAgainstBaseURL: false)?.queryItems ?? []
        let found = Dictionary(items.map { ($0.name, $0.value ?? "") }) { $1 }
        #expect(found["query"] == TripQuery.document)
        #expect(found["operationName"] == "Trip")
        #expect(try Json(parsing: Data((found["variables"] ?? "").utf8)) == ["id": "a&b=ü +"])
        #expect(found["extensions"] == nil)
    }

    @Test("§5.3: a mutation is never sent by GET")
    func aMutationIsNeverSentByGet() async throws {
        let route = Route<RenameTrip.Data>.graphQL(RenameTrip(variables: .init(id: "7")), by: .get)
        let error = await #expect(throws: CallError.self) { try await client.fetch(route) }
        #expect(error?.stage == .requestEncoding)
        #expect((error?.underlyingError as? RouteError)?.reason.contains("mutation") == true)
        #expect(stub.requests.isEmpty)
    }

    @Test(
        "variables are absent, null or a value",
        arguments: [
            (Field<String>.absent, #"{"id":"7"}"#), (.null, #"{"id":"7","after":null}"#),
            (.value("x"), #"{"id":"7","after":"x"}"#),
        ]
    )
    func variablesAreAbsentNullOrAValue(after: Field<String>, expected: String) async throws {
        stub.on(.post, "/v1/graphql", answer(GraphQLText.whole))
        _ = try await client.fetch(Route<TripQuery.Data>.graphQL(TripQuery("7", after: after)))
        let body = try Json(parsing: try #require(stub.requests.first?.body?.data))
        #expect(try body["variables"] == Json(parsing: expected))
    }

    @Test func anOperationWithoutVariablesSendsNone() async throws {
        stub.on(.post, "/v1/graphql", answer(#"{"data":{"version":"1"}}"#))
        #expect(try await client.fetch(Route<VersionQuery.Data>.graphQL(VersionQuery())).version == "1")
        let body = try Json(parsing: try #require(stub.requests.first?.body?.data))
        #expect(body == ["query": "{ version }"])
    }

    @Test func extensionsGoBothWays() async throws {
        struct Traced: GraphQLOperation {
            static let document = "{ version }"
            struct Data: Codable, RawMappable { let version: String }
            var extensions: [String: Json] { ["trace": true] }
        }
        stub.on(.post, "/v1/graphql", answer(#"{"data":{"version":"1"},"extensions":{"cost":3}}"#))
        let found = try await client.fetch(Route<Traced.Data>.graphQL(Traced()).keepingErrors())
        #expect(found.extensions["cost"] == 3)
        let body = try Json(parsing: try #require(stub.requests.first?.body?.data))
        #expect(body["extensions"] == ["trace": true])
    }

    @Test func variablesFollowTheConventionsOfTheClient() async throws {
        struct Since: GraphQLOperation {
            static let document = "query Since($startDate: Date) { version(since: $startDate) }"
            struct Variables: Codable, RawMappable { let startDate: Date }
            struct Data: Codable, RawMappable { let version: String }
            let variables: Variables
        }
        stub.on(.post, "/v1/graphql", answer(#"{"data":{"version":"1"}}"#))
        var client = client
        client.conventions.scalars.register(Date.self, as: .rfc3339)
        _ = try await client.fetch(
            Route<Since.Data>.graphQL(Since(variables: .init(startDate: Date(timeIntervalSince1970: 0))))
        )
        let body = try Json(parsing: try #require(stub.requests.first?.body?.data))
        #expect(body["variables"] == ["startDate": "1970-01-01T00:00:00Z"])
    }

    // MARK: Answers (§6)

    @Test func theWholeDataIsTheResponse() async throws {
        stub.on(.post, "/v1/graphql", answer(GraphQLText.whole))
        let data = try await client.fetch(Route<TripQuery.Data>.graphQL(TripQuery("7")))
        #expect(data.trip?.name == "Alps")
    }

    @Test func aFieldIsTheResponseInOneLayerOrTwo() async throws {
        stub.on(.post, "/v1/graphql", answer(GraphQLText.whole))
        #expect(try await client.fetch(.trip("7"))?.name == "Alps")
        #expect(try await client.fetch(.planned("7")) == PlannedTrip(name: "Alps", hotel: "Edelweiss"))
        #expect(try await client.fetch(.needed("7")) == PlannedTrip(name: "Alps", hotel: "Edelweiss"))
        let name = Route<String>.graphQL(TripQuery("7")) { try $0.trip.require("trip").name }
        #expect(try await client.fetch(name) == "Alps")
    }

    @Test func pathsAreThoseOfTheAnswer() async throws {
        stub.on(
            .post,
            "/v1/graphql",
            answer(#"{"data":{"trip":{"id":7,"name":"Alps"}}}"#),
            answer(#"{"data":{"trip":{"id":"7","name":"Alps"}}}"#),
            answer(#"{"data":{"trip":null}}"#),
            answer(#"{"data":{"trip":null}}"#)
        )
        func paths(_ route: Route<some Sendable>) async -> [String] {
            let error = await #expect(throws: CallError.self) { _ = try await client.fetch(route) }
            return error?.issues.map { "\($0.path) \($0.kind)" } ?? []
        }
        #expect(await paths(Route<TripFragment?>.trip("7")) == ["$.data.trip.id wrong type"])
        #expect(await paths(Route<PlannedTrip?>.planned("7")) == ["$.data.trip.hotel missing"])
        #expect(await paths(Route<PlannedTrip>.needed("7")) == ["$.data.trip missing"])
        let name = Route<String>.graphQL(TripQuery("7")) { try $0.trip.require("trip").name }
        #expect(await paths(name) == ["$.data.trip missing"])
    }

    @Test(
        "§6.4: an answer of the GraphQL media type is one whatever its status is; of JSON with 2xx alone",
        arguments: [
            (200 as HTTPStatus, GraphQLText.response, true), (202, GraphQLText.response, true),
            (294, GraphQLText.response, true), (400, GraphQLText.response, true), (500, GraphQLText.response, true),
            (200, "application/json", true), (203, "application/json; charset=utf-8", true),
            (400, "application/json", false), (500, "application/json", false), (401, "text/html", false),
        ]
    )
    func theMediaTypeSaysWhetherItIsAnAnswer(status: HTTPStatus, type: String, isAnswer: Bool) async throws {
        stub.on(.post, "/v1/graphql", answer(GraphQLText.refused, status: status, type: type))
        let error = await #expect(throws: CallError.self) { try await client.fetch(.trip("7")) }
        #expect(error?.status == status)
        #expect((error?.underlyingError is GraphQLFailure) == isAnswer)
        #expect((error?.underlyingError is StatusError) == !isAnswer)
        // The errors of a legacy server are shown, but its body is no GraphQL answer.
        #expect(error?.graphQLErrors.map(\.code) == ["GRAPHQL_VALIDATION_FAILED"])
    }

    @Test func dataWithAStatusOfFailureIsAnAnswer() async throws {
        stub.on(.post, "/v1/graphql", answer(GraphQLText.whole, status: 400))
        #expect(try await client.fetch(.trip("7"))?.name == "Alps")
    }

    @Test("a failure with an empty body keeps its status", arguments: [GraphQLText.response, "application/json"])
    func anEmptyBodyKeepsItsStatus(type: String) async throws {
        stub.on(.post, "/v1/graphql", answer("", status: 503, type: type))
        let error = await #expect(throws: CallError.self) { try await client.fetch(.trip("7")) }
        #expect((error?.underlyingError as? StatusError)?.status == 503)
    }

    @Test("an answer without a body is an error that names the empty body")
    func noBody() async throws {
        stub.on(.post, "/v1/graphql", .status(204))
        let error = await #expect(throws: CallError.self) { try await client.fetch(.trip("7")) }
        #expect(error?.issues.first?.found?.description == "an empty body", "\(String(describing: error))")
    }

    @Test(
        "an answer of another form is an error of the mapping",
        arguments: [
            ("[]", "$"), ("{}", "$.data"), (#"{"data":null}"#, "$.data"), (#"{"data":[]}"#, "$.data"),
            (#"{"data":null,"errors":[]}"#, "$.data"), (#"{"data":null,"errors":null}"#, "$.data"),
        ]
    )
    func anotherFormIsAnError(text: String, path: String) async throws {
        stub.on(.post, "/v1/graphql", answer(text))
        let error = await #expect(throws: CallError.self) { try await client.fetch(.trip("7")) }
        #expect(error?.issues.map(\.path.description) == [path])
    }

    // MARK: Errors (GraphQL §7.1.2)

    @Test func errorsEndTheCall() async throws {
        stub.on(.post, "/v1/graphql", answer(GraphQLText.partial))
        let error = await #expect(throws: CallError.self) { try await client.fetch(.trip("7")) }
        let failure = try #require(error?.underlyingError as? GraphQLFailure)
        #expect(failure.data?["trip"]?["name"] == "Alps")
        let first = try #require(failure.errors.first)
        #expect(first.message == "down")
        #expect(first.path?.description == "$.trip.hotel")
        #expect(first.locations == [.init(line: 1, column: 2)])
        #expect(first.code == "UNAVAILABLE")
        #expect(first.extensions["retry"] == true)
        #expect(
            error?.description.contains("the server reported 1 error: $.data.trip.hotel (UNAVAILABLE)") == true
        )
        #expect(error?.description.contains("down") == false)
    }

    @Test func partialDataIsKeptOnRequest() async throws {
        stub.on(.post, "/v1/graphql", answer(GraphQLText.partial))
        let found = try await client.fetch(Route<TripFragment?>.trip("7").keepingErrors())
        #expect(found.value?.name == "Alps")
        #expect(found.errors.map(\.code) == ["UNAVAILABLE"])
        #expect(found.reason(at: "trip.hotel")?.message == "down")
        #expect(found.reason(at: "trip")?.message == "down")
        #expect(found.reason(at: "trip.name") == nil)
        #expect(found.reason(at: "trip.hotel.name") == nil)
    }

    /// The error of a field that may not be null can make all of `data` null. This is usual, and no breach of the
    /// contract.
    @Test(arguments: [GraphQLErrorPolicy.fail, .keep, .ignore], [#""data":null,"#, ""])
    func errorsWithoutDataEndTheCall(policy: GraphQLErrorPolicy, data: String) async throws {
        let errors = #""errors":[{"message":"no","extensions":{"code":"UNAUTHENTICATED"}}]"#
        stub.on(.post, "/v1/graphql", answer("{\(data)\(errors)}"))
        let route = Route<TripFragment?>.trip("7").with(option: policy)
        let error = await #expect(throws: CallError.self) { try await client.fetch(route) }
        #expect(error?.graphQLErrors.map(\.code) == ["UNAUTHENTICATED"])
        #expect((error?.underlyingError as? GraphQLFailure).map { $0.data == nil } == true)
    }

    /// The raw mapping fails for the first response, the DTO conversion for the second.
    @Test(
        "errors that were kept or ignored are those of a call whose mapping fails",
        arguments: [GraphQLErrorPolicy.keep, .ignore],
        [#"{"id":7,"name":"Alps"}"#, #"{"id":"7","name":"Alps"}"#]
    )
    func errorsOfAFailedMapping(policy: GraphQLErrorPolicy, trip: String) async throws {
        let errors = #"[{"message":"down","path":["trip","hotel"],"extensions":{"code":"UNAVAILABLE"}}]"#
        stub.on(
            .post,
            "/v1/graphql",
            answer(#"{"data":{"trip":\#(trip)},"errors":\#(errors)}"#),
            answer(#"{"data":{"trip":{"id":7}}}"#)
        )
        let route = Route<PlannedTrip?>.planned("7").with(option: policy)
        let error = await #expect(throws: CallError.self) { try await client.fetch(route) }
        #expect(error?.issues.isEmpty == false)
        #expect(error?.graphQLErrors.map(\.message) == ["down"])
        let next = await #expect(throws: CallError.self) { try await client.fetch(route) }
        #expect(next?.graphQLErrors.isEmpty == true)
    }

    @Test func aRouteThatIsNotGraphQLsHasNoErrors() async throws {
        stub.on(.get, "/v1/x", .json(#"{"errors":[{"message":"no"}]}"#))
        #expect(try await client.fetch(Route<Json>.get("x").keepingErrors()).errors.isEmpty)
    }

    @Test("errors and issues of the mapping are in one report", arguments: [GraphQLErrorPolicy.fail, .keep, .ignore])
    func errorsAndIssuesAreInOneReport(policy: GraphQLErrorPolicy) async throws {
        stub.on(.post, "/v1/graphql", answer(GraphQLText.partial))
        let reporter = CollectingReporter()
        let route = Route<PlannedTrip?>.planned("7").with(option: policy)
        await #expect(throws: CallError.self) { try await client.fetch(route, reporter: reporter) }
        let issues = reporter.reports.flatMap(\.issues).map { "\($0.severity) \($0.path) \($0.kind)" }
        switch policy {
        case .fail: #expect(issues == ["error $.data.trip.hotel server error"])
        case .keep:
            #expect(issues == ["error $.data.trip.hotel missing", "warning $.data.trip.hotel server error"])
        case .ignore: #expect(issues == ["error $.data.trip.hotel missing"])
        }
        #expect(reporter.reports.flatMap(\.issues).allSatisfy { !$0.description.contains("down") })
    }

    @Test func aMissingValueNamesTheServersError() async throws {
        struct Strict: Codable, RawMappable {
            let trip: Trip
            struct Trip: Codable {
                let id: String
                let hotel: HotelFragment
            }
        }
        struct StrictQuery: GraphQLOperation {
            static let document = "{ trip { id hotel { name } } }"
            typealias Data = Strict
        }
        stub.on(.post, "/v1/graphql", answer(GraphQLText.partial))
        let route = Route<Strict>.graphQL(StrictQuery()).with(option: GraphQLErrorPolicy.keep)
        let error = await #expect(throws: CallError.self) { try await client.fetch(route) }
        let issue = try #require(error?.issues.first)
        #expect(issue.path.description == "$.data.trip.hotel")
        #expect(issue.detail == "the server reported an error: $.data.trip.hotel (UNAVAILABLE)")
    }

    @Test("a value that the conversion misses names the server's error", arguments: [true, false])
    func aModelsMissingValueNamesTheServersError(isReported: Bool) async throws {
        stub.on(.post, "/v1/graphql", answer(GraphQLText.partial))
        let route = Route<PlannedTrip?>.planned("7").with(option: GraphQLErrorPolicy.keep)
        let reporter = isReported ? CollectingReporter() : nil
        let error = await #expect(throws: CallError.self) { try await client.fetch(route, reporter: reporter) }
        let reported = try reporter.map { try #require($0.reports.first).issues } ?? []
        let missing = reported.filter { $0.kind == .missing }
        #expect(missing.count == (isReported ? 1 : 0))
        for issue in try [#require(error?.issues.first)] + missing {
            #expect(issue.path.description == "$.data.trip.hotel")
            #expect(issue.detail == "the server reported an error: $.data.trip.hotel (UNAVAILABLE)")
        }
    }

    @Test func theNextCallsMissingValueIsNotExplainedByAnEarlierAnswer() async throws {
        stub.on(.post, "/v1/graphql", answer(GraphQLText.partial), answer(#"{"data":{"trip":{"id":"7"}}}"#))
        let route = Route<PlannedTrip?>.planned("7").with(option: GraphQLErrorPolicy.keep)
        await #expect(throws: CallError.self) { try await client.fetch(route) }
        let error = await #expect(throws: CallError.self) { try await client.fetch(route) }
        #expect(error?.issues.first.map { $0.detail } == .some(nil))
    }

    @Test func aRequiredFieldNamesTheLineOfItsRoute() async throws {
        stub.on(.post, "/v1/graphql", answer(#"{"data":{"trip":null}}"#))
        let line: UInt = #line + 1
        let route = Route<PlannedTrip>.graphQL(TripQuery("7"), requiring: \.trip)
        let error = await #expect(throws: CallError.self) { try await client.fetch(route) }
        let source = try #require(error?.issues.first?.source)
        #expect(source.line == line && source.fileID.hasSuffix("GraphQLTests.swift"))
    }

    @Test func aRequiredFragmentIsTheResponseOfOneLayer() async throws {
        stub.on(.post, "/v1/graphql", answer(GraphQLText.whole), answer(#"{"data":{"trip":null}}"#))
        let line: UInt = #line + 1
        let route = Route<TripFragment>.graphQL(TripQuery("7"), requiring: \.trip)
        #expect(try await client.fetch(route).name == "Alps")
        let error = await #expect(throws: CallError.self) { try await client.fetch(route) }
        #expect(error?.issues.map { "\($0.kind) \($0.path)" } == ["missing $.data.trip"])
        #expect(error?.issues.first?.source?.line == line)
    }

    @Test(
        "errors with wrong or missing members are read as far as they can be",
        arguments: [
            #"[{}]"#, #"[{"message":3,"path":"x","locations":{},"extensions":[]}]"#, #"["oops"]"#,
            #"{"message":"oops"}"#,
            #"[null,3]"#, #"[{"message":"m","path":[{}],"locations":[{"line":"1"},{"line":1,"column":1}]}]"#,
            #""oops""#,
        ]
    )
    func wrongMembersOfErrorsAreTolerated(errors: String) async throws {
        stub.on(.post, "/v1/graphql", answer(#"{"data":null,"errors":\#(errors)}"#))
        let error = await #expect(throws: CallError.self) { try await client.fetch(.trip("7")) }
        #expect(error?.graphQLErrors.isEmpty == false)
        #expect(error?.graphQLErrors.allSatisfy { $0.path == nil } == true)
    }
}
