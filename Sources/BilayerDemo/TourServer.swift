import Bilayer
import BilayerTesting
import Foundation

extension FaultServer {
    /// Scripts the replies of the tour's server. The first request of a path receives the first reply, the second
    /// request the second, and so on.
    func scriptTour() {
        on(.get, "/users", .json(users), .json(ageIsText), .json(refIsEmpty))
        on(.get, "/users/7", .json(ada))
        on(.get, "/users/8", .json("null"))
        on(.post, "/users/7/photos") { request in .json(request.body, status: 201) }
        on(.get, "/arrivals", .data(Data(arrivals.utf8), contentType: "text/event-stream"))
        on(.get, "/members") { request in
            .json(request.query == nil ? #"{"members":[\#(ada)],"next":"7"}"# : #"{"members":[\#(grace)],"next":null}"#)
        }
        on(.post, "/sign-up", .json("{}"))
        on(.put, "/film", .status(204))
        on(.get, "/film", .data(Data(repeating: 7, count: 3_000_000), contentType: "video/mp4"))
        on(.post, "/graphql", graph(graphAda), graph(graphAda), graph(graphAda.replacing("OWNER", with: "MEMBER")))
        on(.get, "/team", .json(#"{"data":[\#(grace)],"version":3}"#))
    }
}

private let ada =
    #"{"name":"Ada","age":36,"type":0,"photos":[{"id":"p1","ref":"https://img.example/1.png"}]}"#
private let grace = #"{"name":"Grace","age":85,"type":1,"photos":[]}"#
private let arrivals = "data: \(ada)\n\ndata: \(grace)\n\n"
private let users = "[\(ada),\(grace)]"
private let ageIsText = users.replacing("85", with: #""unknown""#)
private let refIsEmpty = users.replacing("https://img.example/1.png", with: "")
private let graphAda = """
    {"data":{"user":{"name":"Ada","role":"OWNER","photos":[{"id":"p1","ref":"https://img.example/1.png"},\
    {"id":"p2","ref":null}]}},"errors":[{"message":"not stored","path":["user","photos",1,"ref"],\
    "extensions":{"code":"NOT_STORED"}}]}
    """

private func graph(_ text: String) -> Reply {
    .data(Data(text.utf8), contentType: "application/graphql-response+json")
}
