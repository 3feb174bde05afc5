import Bilayer

struct TripFields: Codable, RawMappable {
    let id: String
    let name: String?
}

struct Trip: DTODecodable {
    let name: String
    static func from(dto: TripFields) throws -> Trip { Trip(name: try dto.name.require("name")) }
}

struct TripQuery: GraphQLOperation {
    static let document = "query Trip($id: ID!) { trip(id: $id) { id name } }"
    struct Variables: Codable, RawMappable { let id: String }
    struct Data: Codable, RawMappable { let trip: TripFields? }
    let variables: Variables
}

private let query = TripQuery(variables: .init(id: "7"))

// The response is neither the data nor a model of it. It is another type, or that of a field, but `at:` is missing.

extension Route where Response == Int {
    // expected-error@+1 {{the response is not the operation's Data, nor a model of it; name the field, graphQL(_, at:}}
    fileprivate static var count: Route { .graphQL(query) }
}

extension Route where Response == Trip? {
    // expected-error@+1 {{the response is not the operation's Data, nor a model of it; name the field, graphQL(_, at:}}
    fileprivate static var trip: Route { .graphQL(query) }
    // expected-error@+1 {{value of type 'TripQuery.Data' has no member 'trips'}}
    fileprivate static var trips: Route { .graphQL(query, at: \.trips) }
    // expected-error@+1 {{cannot convert value of type 'String' to expected argument type 'KeyPath<TripQuery.Data}}
    fileprivate static var named: Route { .graphQL(query, at: "trip") }
}

extension Route where Response == TripFields? {
    // expected-error@+1 {{the response is not the operation's Data, nor a model of it; name the field, graphQL(_, at:}}
    fileprivate static var fields: Route { .graphQL(query) }
}

// The field is optional, and the response is not.

extension Route where Response == Trip {
    // expected-error@+1 {{of an optional field it is optional, or is made by graphQL(_, requiring:)}}
    fileprivate static var trip: Route { .graphQL(query, at: \.trip) }
    // expected-error@+1 {{cannot convert value of type 'String?' to closure result type 'Trip'}}
    fileprivate static var name: Route { .graphQL(query) { $0.trip?.name } }
}

extension Route where Response == TripFields {
    // expected-error@+1 {{of an optional field it is optional, or is made by graphQL(_, requiring:)}}
    fileprivate static var fields: Route { .graphQL(query, at: \.trip) }
}

extension Route where Response == Settings? {
    // expected-error@+1 {{the response is not of the field's type, nor a model of it}}
    fileprivate static var settings: Route { .graphQL(query, at: \.trip) }
}

// Operations that miss a requirement.

// expected-error@+1 {{type 'PlainVariables' does not conform to protocol 'GraphQLOperation'}}
struct PlainVariables: GraphQLOperation {
    static let document = "{ trip }"
    // expected-note@+1 {{possibly intended match 'PlainVariables.Variables' does not conform to 'RawEncodable'}}
    struct Variables: Codable { let id: String }
    struct Data: Codable, RawMappable { let trip: Int }
    let variables: Variables
}

// expected-error@+2 {{type 'PlainData' does not conform to protocol 'GraphQLOperation'}}
// expected-note@+1 {{add stubs for conformance}}
struct PlainData: GraphQLOperation {
    static let document = "{ trip }"
    // expected-note@+1 {{possibly intended match 'PlainData.Data' does not conform to 'RawDecodable'}}
    struct Data: Codable { let trip: Int }
}

// expected-error@+2 {{type 'NoDocument' does not conform to protocol 'GraphQLOperation'}}
// expected-note@+1 {{add stubs for conformance}}
struct NoDocument: GraphQLOperation {
    struct Data: Codable, RawMappable { let trip: Int }
}

// expected-error@+1 {{type 'ChangingData.Data' does not conform to the 'Sendable' protocol}}
struct ChangingData: GraphQLOperation {
    static let document = "{ trip }"
    // expected-note@+1 {{class 'Data' does not conform to the 'Sendable' protocol}}
    final class Data: Decodable, RawDecodable { var trip = 1 }
}
