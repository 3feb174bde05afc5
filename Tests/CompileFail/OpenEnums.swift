import Bilayer

// expected-error@+2 {{type 'Unraw' does not conform to protocol 'RawRepresentable'}}
// expected-note@+1 {{add stubs for conformance}}
enum Unraw: OpenEnum {
    case paid
    case sent
}

enum Closed: String, Codable {
    case paid
    case sent
}

// expected-error@+1 {{type 'OrderEntry' does not conform to protocol 'Decodable'}}
struct OrderEntry: Decodable {
    // expected-error@+2 {{type 'Closed' does not conform to protocol 'OpenEnum'}}
    // expected-note@+1 {{cannot automatically synthesize}}
    let status: Open<Closed>
}
