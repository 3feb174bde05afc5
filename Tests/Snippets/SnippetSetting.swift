// The app of the examples in `///` comments: it declares what such an example uses and does not declare itself.
// SnippetTests compiles this file to a module of its own, and the examples against it.

package import Bilayer
package import BilayerTesting
package import Foundation

#if canImport(Combine)
package import Combine
#endif

// MARK: The lower layer

package struct PhotoEntry: Codable, RawMappable, Sendable {
    package let id: String
    package let ref: String

    package init(id: String, ref: String) {
        self.id = id
        self.ref = ref
    }
}

package struct UserEntry: Codable, RawMappable, Sendable {
    package let name: String?
    package let photos: [PhotoEntry]
}

package struct ProblemEntry: Codable, RawDecodable, Sendable {
    package let title: String
}

package struct OrderEntry: Codable, RawMappable, Sendable {
    package let id: String
}

package struct ItemEntry: Codable, RawMappable, Sendable {
    package let sku: String
}

package struct AddressEntry: Codable, RawMappable, Sendable {
    package let city: String?
}

package struct ProductEntry: Codable, RawMappable, Sendable {
    package let name: String?
    package let price: Decimal?
    package let numberOfReviews: Int?
    package let address: AddressEntry?
    package var limit: Field<Int> = .absent
}

// MARK: The upper layer

package struct Photo: DTOConvertible, Sendable {
    package let id: String
    package let image: URL

    package static func from(dto: PhotoEntry) throws -> Photo {
        try Photo(id: dto.id, image: URL(string: dto.ref).require("ref"))
    }
    package func toDTO() throws -> PhotoEntry { PhotoEntry(id: id, ref: image.absoluteString) }
}

package struct User: DTODecodable, Sendable {
    package let name: String
    package let photos: [Photo]

    package static func from(dto: UserEntry) throws -> User {
        try User(name: dto.name.require("name"), photos: .from(dto: dto.photos, at: "photos"))
    }
}

package struct Order: DTODecodable, Sendable {
    package let id: String

    package static func from(dto: OrderEntry) throws -> Order { Order(id: dto.id) }
}

package struct Product: DTODecodable, Sendable {
    package let name: String
    package let price: Decimal

    package init(name: String, price: Decimal) {
        self.name = name
        self.price = price
    }

    package static func from(dto: ProductEntry) throws -> Product {
        try Product(name: dto.name.require("name"), price: dto.price.require("price"))
    }
}

package struct Profile: Sendable {
    package var nickname: String
}

/// A generated type without any conformance to the framework's protocols.
package struct Forecast: Decodable, Sendable {
    package let days: Int
}

// MARK: The app

extension Route where Response == [User] {
    package static var users: Route { .get("users") }
}

package struct AddHeader: Node {
    let name: HTTPHeaders.Name
    let value: String

    package init(_ name: HTTPHeaders.Name, _ value: String) {
        self.name = name
        self.value = value
    }

    package func process(_ request: HTTPRequest, in context: CallContext) async throws -> HTTPRequest {
        var request = request
        request.headers[name] = value
        return request
    }
}

package struct CountEntries: PassthroughNode {
    package init() {}
    package func process<Value: Sendable>(_ value: Value, in context: CallContext) async throws -> Value { value }
}

package struct AnalyticsReporter: MappingReporter {
    package init() {}
    package func report(_ report: MappingReport) {}
}

package func show<Value>(_ value: Value) {}
package func showRetryButton() {}

// MARK: Values that an example starts from

private func value<Value>(_ type: Value.Type = Value.self) -> Value { fatalError("only ever type-checked") }

package var client: Client {
    get { value() }
    set {}
}
package var clock: TestClock { value() }
package var context: CallContext { value() }
package var data: Data { value() }
package var dto: ProductEntry { value() }
package var failure: CallError { value() }
package var fragments: [ProductEntry] { value() }
package var json: Json { value() }
package var orderEntry: OrderEntry { value() }
package var photo: Photo { value() }
package var profile: Profile {
    get { value() }
    set {}
}
package var reporter: CollectingReporter { value() }
package var request: HTTPRequest { value() }
package var response: HTTPResponse { value() }
package var server: FaultServer { value() }
package var stub: StubTransport { value() }
package var textFromConfiguration: String { value() }
package var token: String { value() }
package var transport: URLSessionTransport { value() }
package var url: URL { value() }
package var userEntry: UserEntry { value() }

#if canImport(Combine)
package var subscriptions: Set<AnyCancellable> {
    get { value() }
    set {}
}
#endif

// MARK: Samples

package let sample = "{}"
package let sampleEntry = UserEntry(name: nil, photos: [])

// MARK: GraphQL

package struct TripOperation: GraphQLOperation {
    package static let document = "query Trip($id: ID!) { trip(id: $id) { id name } }"
    package struct Variables: Codable, RawMappable, Sendable {
        package let id: String
        package init(id: String) { self.id = id }
    }
    package struct Data: Codable, RawMappable, Sendable { package let trip: TripFields? }
    package let variables: Variables
    package init(variables: Variables) { self.variables = variables }
}

package struct TripFields: Codable, RawMappable, Sendable {
    package let id: String
    package let name: String
}

extension Route where Response == TripFields? {
    package static func trip(_ id: String) -> Route { .graphQL(TripOperation(variables: .init(id: id)), at: \.trip) }
}
