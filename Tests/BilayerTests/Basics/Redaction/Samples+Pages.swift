import Bilayer
import Foundation

extension Samples {
    static let pages = [
        Sample("BatchLoader") {
            [BatchLoader<String, String> { ids in Dictionary(uniqueKeysWithValues: ids.map { ($0, secret) }) }]
        },
        Sample("BatchMissError") { [BatchMissError()] },
        Sample("PageStrategy") { strategies },
        Sample("PageTotal") { [PageTotal.elements(at: secret), PageTotal.pages(in: HTTPHeaders.Name(secret))] },
        Sample("PageState") { await firstPage().map(\.next) },
        Sample("Page") { await firstPage() },
        Sample("PageError") {
            await errors(for: foreignErrors) { error in
                let transport = AnyNode<HTTPRequest, HTTPResponse> { _, _ in throw error }
                _ = try await paged(transport, by: .pageNumber()).makeAsyncIterator().next()
            } + errors(for: strategies) { strategy in for try await _ in paged(answering, by: strategy) {} }
        },
        Sample("Pages") { [paged(answering, by: .link())] },
        Sample("Pages.AsyncIterator") { [paged(answering, by: .link()).makeAsyncIterator()] },
        Sample("PageElements") { [paged(answering, by: .link()).elements] },
        Sample("PageElements.AsyncIterator") { [paged(answering, by: .link()).elements.makeAsyncIterator()] },
    ]

    static let shapes = [
        Sample("ProblemDetails") {
            [try? ProblemDetails.from(raw: ["title": text, "detail": text, "type": text])].compactMap(\.self)
        },
        Sample("ServiceFailure") {
            [try? ServiceFailure.from(raw: ["message": [text], "code": text])].compactMap(\.self)
        },
        Sample("Unwrap") { [Unwrap(secret, status: secret)] },
        Sample("HALLinks") { [hal].compactMap(\.self) },
        Sample("HALLinks.Link") { hal.map { Array($0.links.values.joined()) } ?? [] },
        Sample("ODataPage") { [try? ODataPage.from(raw: ["@odata.nextLink": text])].compactMap(\.self) },
        Sample("JSONRPCCall") { [JSONRPCCall(secret, [text])] },
        Sample("JSONRPCError") {
            [try? JSONRPCError.from(raw: ["code": 1, "message": text, "data": text])].compactMap(\.self)
        },
        Sample("JSONRPCBatch") { [JSONRPCBatch([JSONRPCCall(secret, [text])])] },
        Sample("JSONAPIDocument") { [document].compactMap(\.self) },
        Sample("JSONAPIResource") { ((try? document?.many(Kept.self, of: secret)) ?? []).map(\.resource) },
        Sample("JSONAPIIdentifier") { ((try? document?.many(Kept.self, of: secret)) ?? []).map(\.resource.identifier) },
        Sample("JSONAPIErrors") { [failures].compactMap(\.self) },
        Sample("JSONAPIErrors.Failure") { failures?.errors ?? [] },
    ]

    private static let text = Json(secret)
    private static let list = Data(#"{"items":["\#(secret)"],"next":"\#(secret)"}"#.utf8)
    private static let answering = AnyNode<HTTPRequest, HTTPResponse> { request, _ in
        HTTPResponse(status: 200, headers: headers, body: list, url: request.url)
    }

    private static var strategies: [PageStrategy] {
        [
            .cursor(at: "next", as: secret), .cursor(at: "items", as: secret), .link(), .link(at: "next"),
            .offset(as: secret),
        ]
    }

    private static func paged(
        _ transport: AnyNode<HTTPRequest, HTTPResponse>,
        by strategy: PageStrategy
    ) -> Pages<[String], String> {
        let route = Route<[String]>.get("users/{id}", ["id": secret], query: ["token": secret], headers: headers)
        return Client(baseURL: url, transport: transport).pages(of: route.at("items"), by: strategy)
    }

    private static func firstPage() async -> [Page<[String]>] {
        let pages = paged(answering, by: .cursor(at: "next", as: "cursor"))
        return [try? await pages.makeAsyncIterator().next()].compactMap { $0 }
    }

    private static var hal: HALLinks? {
        try? HALLinks.from(raw: ["_links": ["next": ["href": text, "title": text, "name": text]]])
    }

    private static var document: JSONAPIDocument? {
        try? JSONAPIDocument.from(
            raw: ["data": [["type": text, "id": text, "attributes": ["name": text]]], "meta": text, "links": text]
        )
    }

    private static var failures: JSONAPIErrors? {
        try? JSONAPIErrors.from(raw: ["errors": [["title": text, "detail": text, "source": ["pointer": text]]]])
    }

    private struct Kept: DTODecodable {
        let resource: JSONAPIResource
        static func from(dto: JSONAPIResource) -> Kept { Kept(resource: dto) }
    }
}
