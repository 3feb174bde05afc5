/// The request encoding stage of a client's call: model to DTO to raw to request, then the route's and the client's
/// nodes. A new node is made for each call, so the node stores the call's values and needs no type erasure.
struct EncodeCall: Node {
    let body: RouteBody?
    let build: BuildRequest
    let route: NodeList<HTTPRequest>
    let client: NodeList<HTTPRequest>

    func process(_ input: Void, in context: CallContext) async throws -> HTTPRequest {
        var request = try await build.process(body?.node.process((), in: context), in: context)
        if let node = route.node { request = try await node.process(request, in: context) }
        if let node = client.node { request = try await node.process(request, in: context) }
        return request
    }
}

extension EncodeCall: NodeDescribing {
    var stageNames: [String] {
        (body.map { names(of: $0.node) } ?? ["NoBody"]) + names(of: build) + route.stageNames + client.stageNames
    }
}
