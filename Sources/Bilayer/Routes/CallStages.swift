// The stages of a client's call, with their types: made for each call, so they hold what they need and erase nothing.

/// Model to DTO to raw to request, then the route's and the client's nodes.
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

/// Response to raw to entry, then the client's and the route's nodes.
struct ReadAnswer<Entry: Sendable>: Node {
    let check: CheckStatus
    let reading: any ResponseReading<Entry>
    let raw: RawNodes
    let client: PassthroughList
    let route: NodeList<Entry>

    func process(_ response: HTTPResponse, in context: CallContext) async throws -> Entry {
        let response = try await check.process(response, in: context)
        var entry = try await reading.read(response, through: raw, in: context)
        if !client.isEmpty { entry = try await client.process(entry, in: context) }
        if let node = route.node { entry = try await node.process(entry, in: context) }
        return entry
    }
}

/// Entry to model, then the client's and the route's nodes.
struct ConvertAnswer<Entry: Sendable, Response: Sendable>: Node {
    let conversion: any Node<Entry, Response>
    let client: PassthroughList
    let route: NodeList<Response>

    func process(_ entry: Entry, in context: CallContext) async throws -> Response {
        var model = try await conversion.process(entry, in: context)
        if !client.isEmpty { model = try await client.process(model, in: context) }
        if let node = route.node { model = try await node.process(model, in: context) }
        return model
    }
}

extension EncodeCall: NodeDescribing {
    var stageNames: [String] {
        (body.map { names(of: $0.node) } ?? ["NoBody"]) + names(of: build) + route.stageNames + client.stageNames
    }
}

extension ReadAnswer: NodeDescribing {
    var stageNames: [String] {
        names(of: check) + reading.stageNames(with: raw) + client.stageNames + route.stageNames
    }
}

extension ConvertAnswer: NodeDescribing {
    var stageNames: [String] { names(of: conversion) + client.stageNames + route.stageNames }
}
