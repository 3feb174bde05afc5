import Bilayer
import BilayerTesting
import Foundation
import Testing

/// Results of fields, files, and operations through the chain of a call.
extension GraphQLTests {
    private struct Days: Decodable, RawDecodable {
        let days: [Day]
        struct Day: Decodable {
            let hotel: FieldResult<HotelFragment?>
            let guide: FieldResult<HotelFragment>
        }
    }

    private struct DaysQuery: GraphQLOperation {
        static let document = "{ days { hotel { name } guide { name } } }"
        typealias Data = Days
    }

    @Test func aFieldIsAValueOrItsError() async throws {
        let text = """
            {"data":{"days":[{"hotel":{"name":"A"},"guide":{"name":"B"}},{"hotel":null,"guide":null},\
            {"hotel":null,"guide":{"name":"C"}}]},"errors":[{"message":"deep","path":["days",1,"guide","name"]},\
            {"message":"off","path":["days",2,"hotel"]}]}
            """
        stub.on(.post, "/v1/graphql", answer(text))
        let route = Route<Days>.graphQL(DaysQuery()).with(option: GraphQLErrorPolicy.ignore)
        let days = try await client.fetch(route).days
        #expect(days.map(\.hotel.value) == [HotelFragment(name: "A"), .some(nil), nil])
        #expect(days.map(\.hotel.error?.message) == [nil, nil, "off"])
        #expect(days.map(\.guide.error?.message) == [nil, "deep", nil])
        #expect(throws: GraphQLError.self) { try days[1].guide.get() }
    }

    @Test func aNullWithoutAnErrorIsReadAsTheValue() async throws {
        stub.on(.post, "/v1/graphql", answer(#"{"data":{"days":[{"hotel":null,"guide":null}]}}"#))
        let error = await #expect(throws: CallError.self) { try await client.fetch(Route<Days>.graphQL(DaysQuery())) }
        #expect(error?.issues.map(\.path.description) == ["$.data.days[0].guide"])
    }

    @Test("a fragment with a field result is written as GraphQL would send it")
    func fieldResultsAreWritten() throws {
        struct DayFragment: Codable, RawMappable, Equatable {
            let date: String
            let hotel: FieldResult<HotelFragment?>
        }
        let failed = DayFragment(date: "7", hotel: .failure(GraphQLError("no")))
        let (none, there) = (
            DayFragment(date: "7", hotel: .success(nil)),
            DayFragment(date: "7", hotel: .success(HotelFragment(name: "A")))
        )
        for day in [failed, none] { #expect(try day.toRaw() == ["date": "7", "hotel": nil]) }
        #expect(try there.toRaw() == ["date": "7", "hotel": ["name": "A"]])
        #expect(try DayFragment.from(raw: there.toRaw()) == there)
        let foundation = try JSONEncoder().encode(failed)
        #expect(try Json(parsing: foundation) == ["date": "7", "hotel": nil])
        #expect(try FieldResult<Int>.success(7).toRaw() == 7)
        #expect(try FieldResult<Int>.failure(GraphQLError("no")).toRaw() == .null)
    }

    @Test func theUpperLayerKeepsTheError() throws {
        let failed = FieldResult<TripFragment>.failure(GraphQLError("no"))
        #expect(try FieldResult<PlannedTrip>.from(dto: failed).error?.message == "no")
        let hotel = HotelFragment(name: "B")
        let there = FieldResult.success(TripFragment(id: "1", name: "A", hotel: hotel))
        #expect(try FieldResult<PlannedTrip>.from(dto: there).value == PlannedTrip(name: "A", hotel: "B"))
    }

    // MARK: Files

    @Test func filesAreSentAsParts() async throws {
        struct AddPhotos: GraphQLOperation {
            static let document = "mutation Add($files: [Upload!]!, $cover: Upload) { add(files: $files) }"
            struct Variables: Encodable, RawEncodable {
                let title: String
                let files: [GraphQLFile]
                let cover: GraphQLFile?
            }
            struct Data: Codable, RawMappable { let add: Int }
            let variables: Variables
        }
        stub.on(.post, "/v1/graphql", answer(#"{"data":{"add":3}}"#))
        let one = GraphQLFile(.data(Data("one".utf8)), name: "a.txt")
        let two = GraphQLFile(.data(Data([0xFF])), name: "b.png")
        let operation = AddPhotos(variables: .init(title: "t", files: [one, two], cover: one))
        _ = try await client.fetch(Route<AddPhotos.Data>.graphQL(operation))
        let request = try #require(stub.requests.first)
        let type = try #require(request.headers[.contentType])
        #expect(type.hasPrefix("multipart/form-data; boundary="))
        let text = String(decoding: try #require(request.body?.data), as: UTF8.self)
        #expect(text.contains("name=\"operations\""))
        #expect(text.contains(#""variables":{"title":"t","files":[null,null],"cover":null}"#))
        let map = #"{"0":["variables.files.0"],"1":["variables.files.1"],"2":["variables.cover"]}"#
        #expect(text.contains("name=\"map\"\r\n\r\n\(map)\r\n"))
        #expect(text.contains("name=\"0\"; filename=\"a.txt\"\r\nContent-Type: text/plain"))
        #expect(text.contains("name=\"1\"; filename=\"b.png\"\r\nContent-Type: image/png"))
    }

    @Test func aFileElsewhereIsAnError() {
        let file = GraphQLFile(.data(Data()), name: "a.txt")
        #expect(throws: GraphQLFileError.self) { try file.toRaw() }
        #expect(throws: (any Error).self) { try JSONEncoder().encode([file]) }
    }

    // MARK: Through the chain

    @Test func theOperationIsPartOfTheNameOfTheCall() async throws {
        stub.on(.post, "/v1/graphql", answer(GraphQLText.refused))
        let error = await #expect(throws: CallError.self) { try await client.fetch(.trip("7")) }
        #expect(error?.endpoint?.name == "POST graphql (Trip)")
        #expect(error?.description.contains("(Trip)") == true)
    }

    @Test func fourStagesAsEveryCall() async throws {
        stub.on(.post, "/v1/graphql", answer(GraphQLText.whole))
        var client = client
        client.raw.append { json, _ in
            var json = json
            json.set("Changed", at: [.key("data"), .key("trip"), .key("name")])
            return json
        }
        let route = Route<PlannedTrip?>.planned("7")
            .adding(model: AnyNode { trip, _ in trip.map { PlannedTrip(name: $0.name + "!", hotel: $0.hotel) } })
        #expect(try await client.fetch(route)?.name == "Changed!")
        let found = try await client.fetch(route.keepingErrors())
        #expect(found.value?.name == "Changed!")
    }

    @Test func elementsOfAListAreSalvaged() async throws {
        struct Trips: Codable, RawMappable { let trips: [TripFragment] }
        struct TripsQuery: GraphQLOperation {
            static let document = "{ trips { id name } }"
            typealias Data = Trips
        }
        stub.on(
            .post,
            "/v1/graphql",
            answer(#"{"data":{"trips":[{"id":"1","name":"a"},{"id":2},{"id":"3","name":"c"}]}}"#)
        )
        let reporter = CollectingReporter()
        let trips = try await client.fetch(
            Route.graphQL(TripsQuery()) { $0.trips.map(\.id) },
            reporter: reporter,
            mapping: .salvaging
        )
        #expect(trips == ["1", "3"])
        #expect(reporter.reports.flatMap(\.issues).map(\.path.description) == ["$.data.trips[1]"])
    }

    // MARK: Requests as values

    private enum TripRequest: RouteProviding, Hashable {
        case trip(String)
        case first(after: String?)

        var route: Route<TripFragment?> {
            switch self {
            case .trip(let id): .graphQL(TripQuery(id), at: \.trip)
            case .first(let after): .get("trips/first", query: ["after": after])
            }
        }
    }

    @Test func anEnumOfRequestsIsBoundToItsResponse() async throws {
        stub.on(.post, "/v1/graphql", answer(GraphQLText.whole))
        stub.on(.get, "/v1/trips/first?after=x", .json(#"{"id":"1","name":"REST"}"#))
        #expect(try await client.fetch(TripRequest.trip("7"))?.name == "Alps")
        #expect(try await client.fetch(TripRequest.first(after: "x"))?.name == "REST")
        #expect(try await client.send(TripRequest.first(after: "x")).value?.name == "REST")
        let request: any RouteProviding<TripFragment?> = TripRequest.trip("7")
        #expect(request.route.description.contains("graphql"))
    }

    // MARK: Caches

    @Test func aQueryByGetIsCachedThenAsked() async throws {
        stub.on(
            .get,
            "/v1/graphql",
            .data(
                Data(GraphQLText.whole.utf8),
                contentType: GraphQLText.response,
                headers: [.cacheControl: "max-age=60"]
            ),
            answer(GraphQLText.whole.replacingOccurrences(of: "Alps", with: "Andes"))
        )
        let cache = HTTPCache(.memory(maximumBytes: 1 << 20))
        var client = client
        client.transport = AnyNode(client.transport.wrapped(by: cache))
        let route = Route<TripFragment?>.graphQL(TripQuery("7"), at: \.trip, by: .get)
        #expect(try await client.fetch(route)?.name == "Alps")
        #expect(try await client.fetch(route)?.name == "Alps")
        #expect(stub.requests.count == 1)
        var names: [String?] = []
        for try await value in client.values(of: route, cache: .cacheThenNetwork) { names.append(value?.name) }
        #expect(names == ["Alps", "Andes"])
    }
}
