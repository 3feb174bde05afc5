import Bilayer
import BilayerTesting
import Foundation

/// The three servers of the tests, and a client of all three.
enum LibraryServer {
    static let plain = """
        [{"isbn":"1","title":"Emma","pages":474,"state":"AVAILABLE","author":{"name":"Jane Austen"}},\
        {"isbn":"2","title":"Faust","state":"RESTORED","author":null}]
        """
    static let api = """
        [{"isbn":"1","title":"Emma","state":"AVAILABLE","author":{"name":"Jane Austen"},"format":{"pages":474}},\
        {"isbn":"2","title":"Faust","format":{"minutes":90}}]
        """
    static let graph = #"{"data":{"books":\#(plain)}}"#

    static func client(
        plain: String = plain,
        graph: String = graph,
        api: String = api,
        reporter: (any MappingReporter)? = nil
    ) -> Client {
        let stub = StubTransport()
        stub.on(.get, "/plain/books", .json(plain))
        stub.on(.get, "/graph/books", .json(graph))
        stub.on(.get, "/api/books", .json(api))
        var client = Client(
            baseURL: URL(string: "https://library.example") ?? URL(fileURLWithPath: "/"),
            transport: stub
        )
        client.reporter = reporter
        return client
    }

    /// The two books that all three servers return.
    static let books = [
        Book(id: "1", title: "Emma", pages: 474, state: .available, author: "Jane Austen"),
        Book(id: "2", title: "Faust", pages: 0, state: .lent, author: "unknown"),
    ]
}
