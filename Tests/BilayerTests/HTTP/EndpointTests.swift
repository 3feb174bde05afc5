import Foundation
import Testing

@testable import Bilayer

private func text(_ endpoint: Endpoint, base: String = "https://api.example.com/v1") throws -> String {
    try endpoint.url(relativeTo: #require(URL(string: base))).absoluteString
}

@Suite("Endpoint")
struct EndpointTests {
    @Test(arguments: [
        ("https://api.example.com", "users", "https://api.example.com/users"),
        ("https://api.example.com/", "/users", "https://api.example.com/users"),
        ("https://api.example.com/v1", "users", "https://api.example.com/v1/users"),
        ("https://api.example.com/v1/", "users/", "https://api.example.com/v1/users/"),
        ("https://api.example.com/a%2Fb", "users", "https://api.example.com/a%2Fb/users"),
        ("https://api.example.com/v1?key=1", "users", "https://api.example.com/v1/users?key=1"),
        ("https://api.example.com/v1", "", "https://api.example.com/v1"),
        ("https://api.example.com/v1/", "", "https://api.example.com/v1/"),
        ("https://api.example.com", "", "https://api.example.com/"),
        ("https://api.example.com//a//", "", "https://api.example.com//a//"),
        ("https://api.example.com/a%20b/?sig=a%2Bb&x=", "", "https://api.example.com/a%20b/?sig=a%2Bb&x="),
        ("https://api.example.com/hook/?", "", "https://api.example.com/hook/?"),
        ("https://api.example.com/hook/?&a=1&&b", "", "https://api.example.com/hook/?&a=1&&b"),
        ("https://api.example.com/hook/", "?page=2", "https://api.example.com/hook/?page=2"),
        ("https://api.example.com//a//", "users", "https://api.example.com/a/users"),
        ("https://api.example.com/v1", "users?active=1&q=a+b", "https://api.example.com/v1/users?active=1&q=a+b"),
        ("https://api.example.com", "größe/a b", "https://api.example.com/gr%C3%B6%C3%9Fe/a%20b"),
        ("http://[::1]:8080", "users", "http://[::1]:8080/users"),
        ("https://api.example.com", "/\u{301}users", "https://api.example.com/%CC%81users"),
        ("https://api.example.com", "users?\u{301}=1", "https://api.example.com/users?%CC%81=1"),
    ])
    func thePathContinuesTheBase(base: String, path: String, url: String) throws {
        #expect(try text(Endpoint(.get, path), base: base) == url)
    }

    @Test(arguments: [
        ("a/b", "a%2Fb"), ("?", "%3F"), ("%", "%25"), ("%2F", "%252F"), ("a b", "a%20b"), ("#", "%23"), ("+", "%2B"),
        ("...", "..."), ("..a", "..a"), ("é", "%C3%A9"), ("{id}", "%7Bid%7D"), (";v=1", "%3Bv%3D1"),
        ("\u{0}\n", "%00%0A"),
    ])
    func anArgumentStaysOneSegment(argument: String, encoded: String) throws {
        let endpoint = Endpoint(.get, "users/{id}/photos", arguments: ["id": argument])
        #expect(try text(endpoint) == "https://api.example.com/v1/users/\(encoded)/photos")
    }

    @Test(arguments: [
        ("{name}", "ada"), ("users/{name}/{name}", "users/ada/ada"), ("{name}\u{301}", "ada%CC%81"),
        ("{name}}", "ada%7D"), ("a}{name}", "a%7Dada"),
    ])
    func everyPlaceholderIsFilled(path: String, filled: String) throws {
        #expect(try Endpoint(.get, path, arguments: ["name": "ada"]).expandedPath() == filled)
    }

    @Test func namesThatAreCanonicallyEqualAreOneName() throws {
        let endpoint = Endpoint(.get, "users/{caf\u{E9}}", arguments: ["cafe\u{301}": 7])
        #expect(try endpoint.expandedPath() == "users/7")
    }

    @Test(arguments: ["", ".", ".."])
    func anArgumentThatWouldChangeThePathIsRefused(argument: String) {
        let error = #expect(throws: RouteError.self) {
            try text(Endpoint(.delete, "users/{id}", arguments: ["id": argument]))
        }
        #expect(error?.description.hasPrefix("DELETE users/{id}: found ") == true)
        #expect(error?.description.contains("argument id, expected") == true)
    }

    @Test(arguments: [
        (Endpoint(.get, "users/{id}"), "GET users/{id}: found {id}, expected an argument for it"),
        (Endpoint(.get, "users", arguments: ["id": 1]), "GET users: found an argument id, expected {id} in the path"),
        (
            Endpoint(.get, "users/{id}", arguments: ["id": 1, "page": 2]),
            "GET users/{id}: found an argument page, expected {page} in the path"
        ),
        (
            Endpoint(.get, "users/{{id}", arguments: ["id": 1]),
            "GET users/{{id}: found {{id}, expected an argument for it"
        ),
        (Endpoint(.get, "users/{id", arguments: ["id": 1]), "GET users/{id: found { without }, expected {name}"),
    ])
    func templateAndArgumentsMustMatch(endpoint: Endpoint, message: String) {
        let error = #expect(throws: RouteError.self) { try text(endpoint) }
        #expect(error?.description == message)
    }

    @Test(arguments: [
        "https://s3.example.com/put?sig=1", "http://h", "HTTPS://h/{id}", "ftp://h/a", "a+b-c.d://h",
    ])
    func aWholeAddressIsNoPath(path: String) throws {
        let error = #expect(throws: RouteError.self) {
            try Endpoint(.get, path, arguments: path.contains("{") ? ["id": 1] : [:])
                .url(relativeTo: URL("https://api.example.com/v1"))
        }
        #expect(
            error?.reason
                == "found a whole address, expected a path below the base address; for a whole address, "
                + "Client(baseURL: address) and a route with the path \"\""
        )
        #expect(error?.route.contains("sig=1") == false)
    }

    @Test(arguments: [
        ("proxy/https://h/a", "https://h/v1/proxy/https://h/a"), ("a:b", "https://h/v1/a:b"),
        ("{address}", "https://h/v1/https%3A%2F%2Fh"), ("find?at=http://h/a", "https://h/v1/find?at=http://h/a"),
    ])
    func anAddressInsideOfAPathIsAPart(path: String, expected: String) throws {
        let arguments: PathArguments = path == "{address}" ? ["address": "https://h"] : [:]
        let url = try Endpoint(.get, path, arguments: arguments).url(relativeTo: URL("https://h/v1"))
        #expect(url.absoluteString == expected)
    }

    @Test func aWholeAddressIsTheBaseOfARouteWithoutAPath() throws {
        let address = URL("https://s3.example.com/put/it?sig=a%2Bb&x=1")
        #expect(try Endpoint(.put, "").url(relativeTo: address) == address)
    }

    @Test func argumentsOfEveryKind() throws {
        enum Order: String, RouteArgument { case newest }
        let id = UUID()
        let endpoint = Endpoint(
            .get,
            "a/{int}/{uuid}/{order}/{flag}/{decimal}",
            arguments: [
                "int": -7, "uuid": id, "order": Order.newest, "flag": true,
                "decimal": Decimal(sign: .plus, exponent: -1, significand: 15),
            ]
        )
        #expect(try text(endpoint) == "https://api.example.com/v1/a/-7/\(id.uuidString)/newest/true/1.5")
    }

    @Test func queryItemsKeepTheirOrderAndAreEscaped() throws {
        let query: QueryItems = ["z": 1, "a": "x+y&z=1 ü", "tags": ["a", "b"], "none": nil, "a": "again", "empty": ""]
        #expect(
            try text(Endpoint(.get, "users", query: query), base: "https://h.example.com?k=v")
                == "https://h.example.com/users?k=v&z=1&a=x%2By%26z%3D1%20%C3%BC&tags=a&tags=b&a=again&empty="
        )
    }

    @Test func theNameIsTheTemplate() {
        #expect(Endpoint(.get, "users/{id}", arguments: ["id": 7]).name == "GET users/{id}")
        #expect("\(Endpoint(.get, "users/{id}", arguments: ["id": 7]))" == "GET users/{id}")
    }
}
