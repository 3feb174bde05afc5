import Bilayer
import BilayerTesting
import Foundation
import Testing

private struct PagedEntry: Codable, RawMappable, Sendable {
    let personName: String?
    let number: Int
}

private struct PagedPerson: DTODecodable, Sendable, Hashable {
    let name: String
    let number: Int
    static func from(dto: PagedEntry) throws -> PagedPerson {
        PagedPerson(name: try dto.personName.require("personName"), number: dto.number)
    }
}

private struct PagedInfo: Codable, RawMappable, Sendable { let total: Int }

private func people(_ numbers: some Sequence<Int>) -> String {
    "[" + numbers.map { #"{"person_name":"n\#($0)","number":\#($0)}"# }.joined(separator: ",") + "]"
}

extension Route where Response == [PagedPerson] {
    fileprivate static var people: Route { .get("people", query: ["sort": "name"]) }
}

@Suite("Pages of a list", .timeLimit(.minutes(5)))
struct PagesTests {
    private let server: FaultServer
    private var client: Client

    init() async throws {
        server = try await FaultServer.start()
        client = Client(baseURL: server.url)
        client.conventions.keys = .snakeCase
    }

    private func numbers(_ pages: Pages<[PagedPerson], PagedPerson>) async throws -> [Int] {
        var numbers: [Int] = []
        for try await person in pages.elements { numbers.append(person.number) }
        return numbers
    }

    @Test(
        "a cursor in the body goes on until it is missing, null or empty",
        arguments: ["{}", #"{"next":null}"#, #"{"next":""}"#]
    )
    func cursor(last: String) async throws {
        server.on(.get, "/people?sort=name", .json(#"{"data":\#(people(0..<2)),"meta":{"next":"c&1"}}"#))
        server.on(.get, "/people?sort=name&cursor=c%261", .json(#"{"data":[],"meta":{"next":7}}"#))
        server.on(.get, "/people?sort=name&cursor=7", .json(#"{"data":\#(people(2..<3)),"meta":\#(last)}"#))
        let pages = client.pages(of: .people.at("data"), by: .cursor(at: "meta.next", as: "cursor"))
        #expect(try await numbers(pages) == [0, 1, 2])
        #expect(server.requests.count == 3)
    }

    @Test("the cursor is read from the whole JSON, also if the client takes the envelope off")
    func clientEnvelope() async throws {
        server.on(.get, "/people?sort=name", .json(#"{"data":\#(people(0..<1)),"meta":{"next":"b"}}"#))
        server.on(.get, "/people?sort=name&cursor=b", .json(#"{"data":\#(people(1..<2)),"meta":{}}"#))
        var client = client
        client.raw.append { json, _ in json["data"] ?? json }
        let pages = client.pages(of: .people, by: .cursor(at: "meta.next", as: "cursor"))
        #expect(try await numbers(pages) == [0, 1])
    }

    @Test("an enveloped list has elements, too")
    func enveloped() async throws {
        server.on(.get, "/people?sort=name&page=1", .json(#"{"items":\#(people(0..<2)),"total":3}"#))
        server.on(.get, "/people?sort=name&page=2", .json(#"{"items":\#(people(2..<3)),"total":3}"#))
        let pages = client.pages(
            of: Route.people.at("items", in: PagedInfo.self),
            by: .pageNumber().total(.elements(at: "total")),
            elements: \.value
        )
        var found: [Int] = []
        for try await person in pages.elements { found.append(person.number) }
        #expect(found == [0, 1, 2])
        #expect(server.requests.count == 2)
    }

    @Test("an offset counts what the server sent, also what the mapping drops")
    func offset() async throws {
        server.on(
            .get,
            "/people?sort=name&offset=0&limit=2",
            .json(#"{"items":[{"number":0},\#(people([1]).dropFirst())}"#)
        )
        server.on(.get, "/people?sort=name&offset=2&limit=2", .json(#"{"items":\#(people([2]))}"#))
        server.on(.get, "/people?sort=name&offset=3&limit=2", .json(#"{"items":[]}"#))
        let pages = client.pages(of: .people.at("items"), by: .offset(limit: 2), mapping: .salvaging)
        #expect(try await numbers(pages) == [1, 2])
        #expect(server.requests.count == 3)
    }

    @Test("a Link field is followed, relative to the page's address")
    func linkField() async throws {
        server.on(
            .get,
            "/people?sort=name",
            .json(people([0]), headers: [.link: #"</a>; rel="prev", </people?after=1>; title="a, b"; rel="last Next""#])
        )
        server.on(.get, "/people?after=1", .json(people([1]), headers: [.link: "<?after=2>;rel=next"]))
        server.on(.get, "/people?after=2", .json(people([2]), headers: [.link: #"</people>; rel="first""#]))
        #expect(try await numbers(client.pages(of: .people, by: .link())) == [0, 1, 2])
    }

    @Test("a link with a lone percent sign keeps its escapes", arguments: [true, false])
    func linkWithPercentSign(isField: Bool) async throws {
        let link = "/people?name=%C3%A9&off=50%&page=2"
        let headers: HTTPHeaders = isField ? [.link: "<\(link)>; rel=next"] : [:]
        let first = #"{"data":\#(people([0])),"next":\#(isField ? "null" : #""\#(link)""#)}"#
        server.on(.get, "/people?sort=name", .json(first, headers: headers))
        server.on(.get, "/people?name=%C3%A9&off=50%25&page=2", .json(#"{"data":\#(people([1]))}"#))
        let pages = client.pages(of: .people.at("data"), by: isField ? .link() : .link(at: "next"))
        #expect(try await numbers(pages) == [0, 1])
    }

    /// The addresses of a failover are equivalent, so the link is resolved against the first one.
    @Test("a relative link of another address is followed from the address that was asked for")
    func linkBehindAFailover() async throws {
        server.on(.get, "/people?sort=name", .closeBeforeAnswer)
        let other = try await FaultServer.start()
        other.on(.get, "/people?sort=name", .json(people([0]), headers: [.link: "</people?page=2>; rel=next"]))
        other.on(.get, "/people?page=2", .json(people([1])))
        var client = client
        client.transport = DefaultTransport().wrapped(by: .failover([server.url, other.url])).erased()
        #expect(try await numbers(client.pages(of: .people, by: .link())) == [0, 1])
        #expect(other.requests.map(\.target) == ["/people?sort=name", "/people?page=2"])
    }

    @Test("a link in the body is followed")
    func linkMember() async throws {
        let next = "\(server.url)/people?page=2"
        server.on(.get, "/people?sort=name", .json(#"{"@odata.nextLink":"\#(next)","value":\#(people([0]))}"#))
        server.on(.get, "/people?page=2", .json(#"{"value":\#(people([1]))}"#))
        let pages = client.pages(of: .people.at("value"), by: .link(at: #"["@odata.nextLink"]"#))
        #expect(try await numbers(pages) == [0, 1])
    }

    @Test("a link to another origin is refused unless allowed, after its page", arguments: [true, false])
    func foreignOrigin(isAllowed: Bool) async throws {
        let other = try await FaultServer.start()
        other.on(.get, "/people", .json(people([1])))
        server.on(.get, "/people?sort=name", .json(people([0]), headers: [.link: "<\(other.url)/people>; rel=next"]))
        let pages = client.pages(of: .people, by: .link(allowing: isAllowed ? [other.url] : []))
        let iterator = pages.makeAsyncIterator()
        #expect(try await iterator.next()?.value.map(\.number) == [0])
        if isAllowed {
            #expect(try await iterator.next()?.value.map(\.number) == [1])
            #expect(try await iterator.next() == nil)
        } else {
            let error = await #expect(throws: PageError.self) { try await iterator.next() }
            #expect(error?.kind == .foreignOrigin)
            #expect(error?.page == 2)
            #expect(other.requests.isEmpty)
        }
    }

    @Test("a repeated cursor or link is an error, after its page", arguments: [true, false])
    func repeated(byLink: Bool) async throws {
        let headers: HTTPHeaders = [.link: "</people?sort=name>; rel=next"]
        server.on(.get, "/people", .json(#"{"data":\#(people([1])),"next":"a"}"#, headers: headers))
        let pages = client.pages(of: .people.at("data"), by: byLink ? .link() : .cursor(at: "next", as: "cursor"))
        var count = 0
        let error = await #expect(throws: PageError.self) { for try await _ in pages { count += 1 } }
        #expect(error?.kind == .repeatedCursor)
        #expect(count == (byLink ? 1 : 2))
        #expect(server.requests.count == count)
    }

    @Test("a server that ignores the page number is an error", arguments: [true, false])
    func ignored(byOffset: Bool) async throws {
        server.on(.get, "/people", .json(people([1])))
        let error = await #expect(throws: PageError.self) {
            try await numbers(client.pages(of: .people, by: byOffset ? .offset() : .pageNumber()))
        }
        #expect(error?.kind == .repeatedPage)
        #expect(error?.page == 2)
    }

    @Test(
        "totals end the pages without one more call",
        arguments: [
            (PageStrategy.pageNumber().total(.pages(at: "pages")), 2),
            (.pageNumber(from: 0).total(.pages(at: "pages")), 2),
            (.pageNumber().total(.elements(at: "total")), 2),
            (.offset().total(.elements(in: "X-Total-Count")), 2),
            (.offset(from: 1).total(.elements(at: "total")), 2),
            (.offset(from: 2).total(.elements(at: "total")), 2),
            (.pageNumber().total(.pages(in: "X-Pages")), 2),
            (.pageNumber().total(.pages(at: "elsewhere")).atMost(pages: 3), 3),
        ]
    )
    func totals(strategy: PageStrategy, calls: Int) async throws {
        server.on(.get, "/people") { request in
            let data = people(request.number * 2..<request.number * 2 + 2)
            return .json(
                #"{"data":\#(data),"pages":2,"total":4}"#,
                headers: ["X-Total-Count": "4", "X-Pages": "2"]
            )
        }
        _ = try await numbers(client.pages(of: .people.at("data"), by: strategy))
        #expect(server.requests.count == calls)
    }

    /// Servers send -1 or 0 for a number that they have not counted.
    @Test(
        "a total that is negative, or zero beside elements, does not end the pages",
        arguments: [
            PageStrategy.pageNumber().total(.elements(at: "total")), .pageNumber().total(.pages(at: "total")),
            .pageNumber().total(.elements(in: "X-Total-Count")), .pageNumber().total(.pages(in: "X-Total-Count")),
            .offset().total(.elements(at: "total")),
        ],
        [-1, 0]
    )
    func unknownTotal(strategy: PageStrategy, total: Int) async throws {
        server.on(.get, "/people") { request in
            let data = request.number < 2 ? people(request.number..<request.number + 1) : "[]"
            return .json(#"{"data":\#(data),"total":\#(total)}"#, headers: ["X-Total-Count": "\(total)"])
        }
        #expect(try await numbers(client.pages(of: .people.at("data"), by: strategy)) == [0, 1])
        #expect(server.requests.count == 3)
    }

    @Test("the wrong kind of cursor is an error with its path")
    func wrongCursor() async throws {
        server.on(.get, "/people", .json(#"{"data":[],"meta":{"next":["a"]}}"#))
        let pages = client.pages(of: .people.at("data"), by: .cursor(at: "meta.next", as: "cursor"))
        let error = await #expect(throws: PageError.self) { try await numbers(pages) }
        #expect(error?.kind == .paging)
        #expect((error?.underlyingError as? MappingError)?.path.description == "$.meta.next")
    }

    @Test("elements are left out by identity on request")
    func unique() async throws {
        server.on(.get, "/people?sort=name&page=1", .json(people([0, 1])))
        server.on(.get, "/people?sort=name&page=2", .json(people([1, 2])))
        server.on(.get, "/people?sort=name&page=3", .json("[]"))
        var found: [Int] = []
        for try await person in client.pages(of: .people, by: .pageNumber()).elements(uniqueBy: \.number) {
            found.append(person.number)
        }
        #expect(found == [0, 1, 2])
    }

    @Test("a saved state goes on after its page; another strategy refuses it")
    func restores() async throws {
        server.on(.get, "/people?sort=name&page=1", .json(people([0])))
        server.on(.get, "/people?sort=name&page=2", .json(people([1])))
        server.on(.get, "/people?sort=name&page=3", .json("[]"))
        let page = try #require(try await client.pages(of: .people, by: .pageNumber()).makeAsyncIterator().next())
        let state = try JSONDecoder().decode(PageState.self, from: JSONEncoder().encode(page.next))
        #expect(state == page.next)
        #expect(try await numbers(client.pages(of: .people, by: .pageNumber(), from: state)) == [1])
        let error = await #expect(throws: PageError.self) {
            try await numbers(client.pages(of: .people, by: .link(), from: state))
        }
        #expect(error?.kind == .foreignState)
    }

    @Test(
        "a text that is no path is an error before the first request",
        arguments: [
            .cursor(at: "meta[", as: "cursor"), .link(at: "links["), .cursor(at: "next", inBody: "page["),
            .cursor(at: "next", inBody: "page", while: "more["), .pageNumber().total(.pages(at: "meta[")),
        ] as [PageStrategy]
    )
    func noPath(strategy: PageStrategy) async throws {
        server.on(.get, "/people?sort=name", .json("[]"))
        let error = await #expect(throws: PageError.self) { try await numbers(client.pages(of: .people, by: strategy)) }
        #expect(error?.kind == .invalidPath)
        #expect(server.requests.isEmpty)
    }

    @Test(
        "equal pages are no error where a total or a maximum ends them",
        arguments: [
            .offset(limit: 2).total(.elements(at: "total")), .pageNumber().total(.pages(at: "pages")),
            .pageNumber().total(.elements(at: "missing")).atMost(pages: 3),
        ] as [PageStrategy]
    )
    func equalPages(strategy: PageStrategy) async throws {
        server.on(.get, "/people", .json(#"{"total":6,"pages":3,"people":\#(people([0, 0]))}"#))
        let found = try await numbers(client.pages(of: .people.at("people"), by: strategy))
        #expect(found == [0, 0, 0, 0, 0, 0])
        #expect(server.requests.count == 3)
    }

    @Test("a total that a page does not have ends nothing")
    func missingTotal() async throws {
        server.on(.get, "/people", .json(#"{"people":\#(people([0]))}"#))
        let strategy = PageStrategy.pageNumber().total(.elements(at: "total"))
        let error = await #expect(throws: PageError.self) {
            try await numbers(client.pages(of: .people.at("people"), by: strategy))
        }
        #expect(error?.kind == .repeatedPage)
    }

    @Test("a list that comes again is an error, whatever is around it")
    func repeatedList() async throws {
        for page in 1...3 {
            let text = #"{"time":\#(page),"people":\#(people([0]))}"#
            server.on(.get, "/people?sort=name&page=\(page)", .json(text))
        }
        let error = await #expect(throws: PageError.self) {
            try await numbers(client.pages(of: .people.at("people"), by: .pageNumber()))
        }
        #expect(error?.kind == .repeatedPage)
    }

    @Test("a link to the same origin keeps the user of the base address")
    func userOfTheBase() async throws {
        var address = try #require(URLComponents(url: server.url, resolvingAgainstBaseURL: false))
        (address.user, address.password) = ("ada", "p@ss")
        var client = Client(baseURL: try #require(address.url))
        client.conventions.keys = .snakeCase
        let link: HTTPHeaders = ["Link": "<\(server.url)/people?page=2>; rel=\"next\""]
        server.on(.get, "/people?sort=name", .json(people([0]), headers: link))
        server.on(.get, "/people?page=2", .json(people([1])))
        #expect(try await numbers(client.pages(of: .people, by: .link())) == [0, 1])
        #expect(server.requests.map { $0.headers[.authorization] != nil } == [true, true])
    }

    @Test(
        "numbers that no pages have are refused",
        arguments: [
            #""pageCount":9223372036854775807,"elementCount":0,"position":{"start":{}}"#,
            #""pageCount":0,"elementCount":-1,"position":{"start":{}}"#,
            #""pageCount":0,"elementCount":0,"position":{"number":{"_0":-9223372036854775808}}"#,
        ]
    )
    func refusesNumbers(members: String) throws {
        let text = #"{"visited":{"recent":[],"count":0},\#(members)}"#
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(PageState.self, from: Data(text.utf8)) }
    }

    @Test("errors say which page and keep the path; the reporter receives the issues of every page")
    func errors() async throws {
        let collected = CollectingReporter()
        server.on(.get, "/people?sort=name&page=1", .json(#"[{"number":1},{"person_name":"a","number":2}]"#))
        server.on(.get, "/people?sort=name&page=2", .json(#"{"error":1}"#))
        let pages = client.pages(of: .people, by: .pageNumber(), reporter: collected, mapping: .salvaging)
        let error = await #expect(throws: PageError.self) { try await numbers(pages) }
        #expect(error?.page == 2)
        #expect(error?.call?.stage == .rawMapping)
        #expect(error?.description.hasPrefix("page 2 of GET people: GET") == true)
        #expect(error?.call?.events.contains { "\($0)".contains("page 2") } == true)
        #expect(collected.issues.first?.path.description == "$[0]")
    }

    /// The call of such a page has succeeded, so the position has a report of its own.
    @Test(
        "a position that cannot be used is reported",
        arguments: [
            (#""meta":{"next":{"x":1}}"#, PageError.Kind.paging, "wrong type $.meta.next"),
            (#""meta":7"#, .paging, "wrong type $.meta"),
            (#""meta":{"next":"a"}"#, .repeatedCursor, "failed $"),
        ]
    )
    func positions(member: String, kind: PageError.Kind, issue: String) async throws {
        let collected = CollectingReporter()
        for path in ["/people?sort=name", "/people?sort=name&cursor=a"] {
            server.on(.get, path, .json(#"{"data":\#(people(0..<2)),\#(member)}"#))
        }
        let pages = client.pages(
            of: .people.at("data"),
            by: .cursor(at: "meta.next", as: "cursor"),
            reporter: collected
        )
        let error = await #expect(throws: PageError.self) { try await numbers(pages) }
        #expect(error?.kind == kind)
        #expect(collected.reports.map(\.side) == [.response])
        #expect(collected.issues.map { "\($0.kind) \($0.path)" } == [issue])
        #expect(collected.reports.first?.endpoint?.name == "GET people")
    }
}
