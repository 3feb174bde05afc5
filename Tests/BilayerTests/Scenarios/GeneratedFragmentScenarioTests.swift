import Bilayer
import BilayerTesting
import Foundation
import Testing

#if canImport(Combine)
import Combine
#endif

// The type looks like a generated one: everything is optional, nested and primitive. Only one line refers to Bilayer.

private struct ProductFragment: Codable, Sendable, RawDecodable {
    struct Rating: Codable, Sendable { var numberOfReviews: Int? }

    var offerId: String?
    var availabilityStatus: String?
    var rating: Rating?
    var name: String?
}

private enum Offer { typealias ID = TypedStringIdentifier<Offer> }

private struct Product: Hashable, Sendable, DTODecodable {
    enum Availability: String, DefaultCase, DTODecodable, Sendable {
        case inStock = "IN_STOCK"
        case outOfStock = "OUT_OF_STOCK"
        static let defaultCase = Availability.outOfStock
    }

    var offerID: Offer.ID
    var availability: Availability
    var numberOfReviews: Int
    var name: String

    static func from(dto: ProductFragment) throws -> Product {
        let numberOfReviews = (dto.rating?.numberOfReviews).default(0, "rating.numberOfReviews")
        try require(that: numberOfReviews >= 0, "reviews are counted from 0", at: "rating.numberOfReviews")
        return try Product(
            offerID: Offer.ID(dto.offerId.require("offerId")),
            availability: .from(dto: dto.availabilityStatus.require("availabilityStatus"), at: "availabilityStatus"),
            numberOfReviews: numberOfReviews,
            name: dto.name.require("name")
        )
    }
}

extension Route where Response == [Product] {
    fileprivate static var products: Route { .get("products") }
}

private let good = #"{"offerId":"o1","availabilityStatus":"IN_STOCK","rating":{"numberOfReviews":3},"name":"Lamp"}"#

@Suite("Scenario: a generated fragment becomes a product, every breach told and counted")
struct GeneratedFragmentScenarioTests {
    private let stub = StubTransport()
    private let collected = CollectingReporter()

    private var client: Client {
        var client = Client(baseURL: URL("https://shop.example.com"), transport: stub)
        client.reporter = collected
        return client
    }

    private func answer(_ products: String...) {
        stub.on(.get, "/products", .json("[\(products.joined(separator: ","))]"))
    }

    @Test func aGoodFragmentBecomesAProductWithoutAReport() async throws {
        answer(good)
        #expect(
            try await client.fetch(.products) == [
                Product(offerID: "o1", availability: .inStock, numberOfReviews: 3, name: "Lamp")
            ]
        )
        #expect(collected.reports.isEmpty)
    }

    @Test func whatIsToleratedIsReported() async throws {
        answer(good, #"{"offerId":"o2","availabilityStatus":"PREORDER","rating":{},"name":"Desk"}"#)
        let products = try await client.fetch(.products)
        #expect(products[1] == Product(offerID: "o2", availability: .outOfStock, numberOfReviews: 0, name: "Desk"))
        #expect(
            collected.issues.map { "\($0.severity) \($0.kind) \($0.path)" } == [
                "warning unknown value $[1].availabilityStatus", "info used default $[1].rating.numberOfReviews",
            ]
        )
        #expect(collected.reports.first?.endpoint?.name == "GET products")
    }

    @Test(arguments: [
        (#"{"availabilityStatus":"IN_STOCK","rating":{},"name":"Desk"}"#, "missing $[1].offerId"),
        (#"{"offerId":"o2","rating":{},"name":"Desk"}"#, "missing $[1].availabilityStatus"),
        (#"{"offerId":"o2","availabilityStatus":"IN_STOCK","rating":{}}"#, "missing $[1].name"),
        (
            #"{"offerId":"o2","availabilityStatus":"IN_STOCK","rating":{"numberOfReviews":-1},"name":"Desk"}"#,
            "broken rule $[1].rating.numberOfReviews"
        ),
        (#"{"offerId":2,"availabilityStatus":"IN_STOCK","name":"Desk"}"#, "wrong type $[1].offerId"),
        (#"{"rating":{"numberOfReviews":"many"}}"#, "wrong type $[1].rating.numberOfReviews"),
    ])
    func everyBreachEndsTheCallAndIsReported(fragment: String, breach: String) async throws {
        answer(good, fragment)
        let error = await #expect(throws: CallError.self) { try await client.fetch(.products) }
        #expect(error?.issues.map { "\($0.kind) \($0.path)" } == [breach])
        #expect(collected.issues.filter { $0.severity == .error }.map { "\($0.kind) \($0.path)" } == [breach])
    }

    @Test func salvagingShowsAScreenAllTheSame() async throws {
        answer(good, #"{"offerId":2}"#, #"{"offerId":"o3","name":"Sofa"}"#)
        let products = try await client.fetch(.products, mapping: .salvaging)
        #expect(products.map(\.name) == ["Lamp"])
        #expect(collected.issues.map(\.path.description).sorted() == ["$[1].offerId", "$[1]", "$[2]"].sorted())
    }

    @Test func breachesAreCountedByWhatTheyHaveInCommon() async throws {
        let counting = CountingReporter()
        answer(#"{"name":"a"}"#, #"{"name":"b"}"#, good)
        _ = try await client.fetch(.products, reporter: counting, mapping: .salvaging)
        try expectInArticle("\(counting.counts)")
        _ = try await client.fetch(.products, reporter: counting, mapping: .salvaging)
        let lost = "ProductFragment -> Product: missing $[].offerId ProductFragment -> Product"
        #expect(counting.counts == ["GET products: dropped $[] \(lost)": 4])
    }

    @Test func theModelReadsEveryField() throws {
        let sample = ProductFragment(
            offerId: "o1",
            availabilityStatus: "IN_STOCK",
            rating: ProductFragment.Rating(numberOfReviews: 3),
            name: "Lamp"
        )
        try expectEveryFieldIsRead(by: Product.self, from: sample, changing: ["availabilityStatus": "OUT_OF_STOCK"])
    }

    @Test func theSameModelIsMadeOutsideOfAnyCall() throws {
        let fragment = ProductFragment(offerId: "o1", availabilityStatus: "SOON", rating: .init(), name: "Lamp")
        let product = try collected.mapping("Basket") { try Product.from(dto: fragment) }
        #expect(product.availability == .outOfStock)
        #expect(collected.reports.first?.subject == "Basket")
        #expect(collected.issues.count == 2)
    }

    // The errors that the article shows, in its order: the answer after the good product, and the policy of the call.
    private static let shown: [(answer: String, policy: MappingPolicy)] = [
        (#"{"offerId":"o2","availabilityStatus":"PREORDER","name":"Desk"}"#, .standard),
        (#"{"availabilityStatus":"IN_STOCK","name":"Desk"}"#, .standard),
        (#"{"offerId":"o2","availabilityStatus":"IN_STOCK","name":null}"#, .standard),
        (#"{"offerId":2,"availabilityStatus":"IN_STOCK","name":"Desk"}"#, .standard),
        (#"{"offerId":"o2","availabilityStatus":"IN_STOCK","rating":{"numberOfReviews":"many"}}"#, .standard),
        (
            #"{"offerId":"o2","availabilityStatus":"IN_STOCK","rating":{"numberOfReviews":-1},"name":"Desk"}"#,
            .standard
        ),
        (#"{"offerId":"o2","availabilityStatus":"PREORDER","name":"Desk"}"#, .strict),
        (#"{"offerId":2},{"name":"Sofa"}"#, .salvaging),
        (#"{"offerId":2,"name":3},{"offerId":"o3","rating":[]}"#, .collectingAll()),
    ]

    @Test(arguments: shown.indices) func theArticleShowsWhatTheTeamReads(index: Int) async throws {
        let (fragments, policy) = Self.shown[index]
        answer(good, fragments)
        do {
            _ = try await client.fetch(.products, mapping: policy)
        } catch let error as CallError {
            try expectInArticle(error.description)
        }
        try expectInArticle(try #require(collected.reports.first).description)
    }

    @Test func theArticleShowsAnswersThatAreNoProducts() async throws {
        let answers: [StubTransport.Answer] = [
            .json(#"{"error":"maintenance"}"#), .json("[\(good),{\"offerId\":\"o2"),
            .response(HTTPResponse(status: 200, headers: [.contentType: "text/html"], body: Data("<html>".utf8))),
            .json(#"{"error":"maintenance"}"#, status: 503), .json("[{\"name\":1},{}]"),
        ]
        for (index, answer) in answers.enumerated() {
            stub.on(.get, "/products", answer)
            let policy = index == 4 ? MappingPolicy.salvaging : .standard
            let error = await #expect(throws: CallError.self) { try await client.fetch(.products, mapping: policy) }
            try expectInArticle(try #require(error).description)
        }
    }

    /// Expects a text in the article. File names and lines are left out: the article's rules are in files of their own.
    private func expectInArticle(_ text: String) throws {
        let place = #/ at \w+\.swift:\d+ from/#
        let file = Compiler.repository.appendingPathComponent("Sources/Bilayer/Bilayer.docc/GeneratedFragments.md")
        let article = try String(contentsOf: file, encoding: .utf8).replacing(place, with: "")
        #expect(article.contains(text.replacing(place, with: "")), "the article lacks\n\(text)")
    }

    #if canImport(Combine)
    @Test func theSameModelIsMadeInsideAPipelineOfCombine() throws {
        var outcome: [Product] = []
        let subscription = Just(
            ProductFragment(offerId: "o1", availabilityStatus: "SOON", rating: .init(), name: "Lamp")
        )
        .tryMap { fragment in try collected.mapping("Basket") { try Product.from(dto: fragment) } }
        .sink(receiveCompletion: { _ in }, receiveValue: { outcome.append($0) })
        subscription.cancel()
        #expect(outcome.map(\.offerID) == ["o1"])
        #expect(collected.issues.count == 2)
    }
    #endif
}
