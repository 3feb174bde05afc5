import Bilayer
import Foundation

// expected-error@+1 {{type 'BareEntry' does not conform to protocol 'Decodable'}}
struct BareEntry: Decodable, RawDecodable {
    // expected-note@+1 {{cannot automatically synthesize 'Decodable' because 'User' does not conform to 'Decodable'}}
    let user: User
}

// expected-error@+1 {{type 'LossyEntry' does not conform to protocol 'Decodable'}}
struct LossyEntry: Decodable {
    // expected-note@+1 {{(aka 'LossyUpTo<AnyLoss, PhotoEntry>') does not conform to 'Decodable'}}
    @Lossy var photo: PhotoEntry
}

// expected-error@+1 {{type 'DefaultEntry' does not conform to protocol 'Decodable'}}
struct DefaultEntry: Decodable {
    // expected-error@+3 {{generic parameter 'Provider' could not be inferred}}
    // expected-note@+2 {{explicitly specify the generic arguments to fix this issue}}
    // expected-note@+1 {{cannot automatically synthesize}}
    @Default var reviews: Int
}

// expected-error@+1 {{type 'ZeroEntry' does not conform to protocol 'Decodable'}}
struct ZeroEntry: Decodable {
    // expected-error@+2 {{generic parameter 'Provider' could not be inferred}}
    // expected-note@+1 {{cannot automatically synthesize}}
    @Default var reviews = 0
}

enum Zero: DefaultProvider { static let defaults = Defaults(ifMissing: 0) }

// expected-error@+1 {{type 'ZeroText' does not conform to protocol 'Decodable'}}
struct ZeroText: Decodable {
    // expected-error@+2 {{property type 'String' does not match 'wrappedValue' type 'Int'}}
    // expected-note@+1 {{cannot automatically synthesize}}
    @Default<Zero> var reviews: String
}

// expected-error@+1 {{type 'DateEntry' does not conform to protocol 'Decodable'}}
struct DateEntry: Decodable {
    // expected-error@+2 {{type 'Date' does not conform to protocol 'NamedFormat'}}
    // expected-note@+1 {{cannot automatically synthesize}}
    @Formatted<Date> var start: Date
}

// expected-error@+1 {{type 'OptionalDateEntry' does not conform to protocol 'Decodable'}}
struct OptionalDateEntry: Decodable {
    // expected-error@+2 {{property type 'Date?' does not match 'wrappedValue' type 'Date'}}
    // expected-note@+1 {{cannot automatically synthesize}}
    @Formatted<RFC3339> var end: Date?
}
