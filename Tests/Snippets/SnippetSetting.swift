// The app that the examples in `///` comments are taken from: what such an example uses and does not declare itself stands here.
// SnippetTests compiles this file to a module of its own and every example against it.

public import Bilayer
public import BilayerTesting
public import Foundation
#if canImport(Combine)
public import Combine
#endif

// MARK: The lower layer

public struct PhotoEntry: Codable, RawMappable, Sendable {
    public let id: String
    public let ref: String

    public init(id: String, ref: String) {
        self.id = id
        self.ref = ref
    }
}

public struct UserEntry: Codable, RawMappable, Sendable {
    public let name: String?
    public let photos: [PhotoEntry]
}

public struct ProblemEntry: Codable, RawDecodable, Sendable {
    public let title: String
}

public struct OrderEntry: Codable, RawMappable, Sendable {
    public let id: String
}

public struct ProductEntry: Codable, RawMappable, Sendable {
    public let name: String?
    public let price: Decimal?
}

// MARK: The upper layer

public struct Photo: DTOConvertible, Sendable {
    public let id: String
    public let image: URL

    public static func from(dto: PhotoEntry) throws -> Photo {
        try Photo(id: dto.id, image: URL(string: dto.ref).require("ref"))
    }
    public func toDTO() throws -> PhotoEntry { PhotoEntry(id: id, ref: image.absoluteString) }
}

public struct User: DTODecodable, Sendable {
    public let name: String
    public let photos: [Photo]

    public static func from(dto: UserEntry) throws -> User {
        try User(name: dto.name.require("name"), photos: .from(dto: dto.photos, at: "photos"))
    }
}

public struct Order: DTODecodable, Sendable {
    public let id: String

    public static func from(dto: OrderEntry) throws -> Order { Order(id: dto.id) }
}

public struct Product: Sendable {
    public init(name: String, price: Decimal) {}
}

/// A generated type without any conformance to the framework's protocols.
public struct Forecast: Decodable, Sendable {
    public let days: Int
}

// MARK: The app

extension Route where Response == [User] {
    public static var users: Route { .get("users") }
}

public struct AddHeader: Node {
    let name: HTTPHeaders.Name
    let value: String

    public init(_ name: HTTPHeaders.Name, _ value: String) {
        self.name = name
        self.value = value
    }

    public func process(_ request: HTTPRequest, in context: CallContext) async throws -> HTTPRequest {
        var request = request
        request.headers[name] = value
        return request
    }
}

public struct CountEntries: PassthroughNode {
    public init() {}
    public func process<Value: Sendable>(_ value: Value, in context: CallContext) async throws -> Value { value }
}

public func show<Value>(_ value: Value) {}
public func showRetryButton() {}

// MARK: Values that an example starts from

private func value<Value>(_ type: Value.Type = Value.self) -> Value { fatalError("only ever type-checked") }

public var client: Client {
    get { value() }
    set {}
}
public var clock: TestClock { value() }
public var context: CallContext { value() }
public var data: Data { value() }
public var dto: ProductEntry { value() }
public var failure: CallError { value() }
public var json: Json { value() }
public var orderEntry: OrderEntry { value() }
public var photo: Photo { value() }
public var request: HTTPRequest { value() }
public var response: HTTPResponse { value() }
public var server: FaultServer { value() }
public var stub: StubTransport { value() }
public var textFromConfiguration: String { value() }
public var token: String { value() }
public var transport: URLSessionTransport { value() }
public var url: URL { value() }
public var userEntry: UserEntry { value() }

#if canImport(Combine)
public var subscriptions: Set<AnyCancellable> {
    get { value() }
    set {}
}
#endif
