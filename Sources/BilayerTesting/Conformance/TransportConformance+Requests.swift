import Bilayer
import Foundation

// Rows that check that requests arrive as they were made, and which method, body and header fields follow a redirect.
extension TransportConformance {
    static let requestRows: [Row] =
        ([.post, .put, .patch, .delete] as [HTTPMethod])
        .map { method in
            Row("\(method) sends its body with its length") { transport, server in
                server.on(method, "/a", .status(204))
                let body = Data(repeating: 7, count: 70_000)
                _ = try await transport.process(
                    HTTPRequest(method: method, url: server.url.appending(path: "a"), body: body)
                )
                try expect("body is exact", server.requests.first?.body == body, true)
                try expect("Content-Length", server.requests.first?.headers[.contentLength], "70000")
            }
        } + [
            Row("path and query are sent byte for byte") { transport, server in
                let target = "/a%2Fb/%C3%A4?q=1%2B2&x=%20&y="
                server.on(.get, target, .status(204))
                guard let url = URL(string: "\(server.url)\(target)") else { return }
                _ = try await transport.process(HTTPRequest(url: url))
                try expect("target", server.requests.first?.target, target)
            },
            Row("fields are sent and received") { transport, server in
                server.on(.get, "/a", .status(200, headers: ["X-Back": "2"]))
                let request = HTTPRequest(url: server.url.appending(path: "a"), headers: ["X-There": "1"])
                let response = try await transport.process(request)
                try expect("field sent", server.requests.first?.headers["X-There"], "1")
                try expect("field received", response.headers["X-Back"], "2")
            },
        ]

    static let redirectRows: [Row] =
        ([301, 302, 303, 307, 308] as [HTTPStatus])
        .map { status in
            let next: HTTPMethod = status == 307 || status == 308 ? .post : .get
            return Row("POST redirected by \(status.code) becomes \(next)") { transport, server in
                server.on(.post, "/a", .redirect(to: "/b", status: status))
                server.on(next, "/b", .status(204))
                let url = server.url.appending(path: "a")
                _ = try await transport.process(HTTPRequest(method: .post, url: url, body: Data("b".utf8)))
                try expect("method", server.requests.last?.method, next)
                try expect("body", server.requests.last?.bodyText, next == .post ? "b" : "")
            }
        } + [
            Row("secrets stay at their origin") { transport, server in
                let other = try await FaultServer.start()
                server.on(.get, "/a", .redirect(to: "\(other.url)/b"))
                other.on(.get, "/b", .status(204))
                let headers: HTTPHeaders = [.authorization: "Bearer t", .cookie: "k=v"]
                _ = try await transport.process(HTTPRequest(url: server.url.appending(path: "a"), headers: headers))
                let received = other.requests.first?.headers
                try expect("requests at the other origin", other.requests.count, 1)
                try expect("Authorization is sent", received?[.authorization] != nil, false)
                try expect("Cookie is sent", received?[.cookie] != nil, false)
            },
            Row("a redirect without Location is a response") { transport, server in
                server.on(.get, "/a", .status(302))
                let response = try await transport.process(HTTPRequest(url: server.url.appending(path: "a")))
                try expect("status", response.status, 302)
            },
        ]
}
