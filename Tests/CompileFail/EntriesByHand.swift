import Bilayer

// expected-error@+2 {{type 'Unread' does not conform to protocol 'RawDecodable'}}
// expected-note@+1 {{add stubs for conformance}}
struct Unread: RawDecodable {
    let x: Int
}

struct PointEntry: RawDecodable {
    let x: Int

    static func from(raw: Json) throws -> PointEntry { try PointEntry(x: raw.decode("x")) }

    static func fromMember(_ raw: Json) -> PointEntry {
        // expected-error@+1 {{cannot convert value of type 'Json?' to expected argument type 'Int'}}
        PointEntry(x: raw["x"])
    }

    static func fromProperty(_ raw: Json) -> PointEntry {
        // expected-error@+1 {{value of type 'Json' has no member 'x'}}
        PointEntry(x: raw.x)
    }

    static func forgotten(_ raw: Json) throws -> PointEntry {
        // expected-error@+2 {{call can throw but is not marked with 'try'}}
        // expected-note@+1 3{{did you mean to}}
        PointEntry(x: raw.decode("x"))
    }
}

func model(_ raw: Json) throws -> User {
    // expected-error@+1 {{no exact matches in call to instance method 'decode'}}
    try raw.decode("user")
}

func path(_ raw: Json) -> Json? {
    // expected-error@+3 {{value of optional type 'Json?' must be unwrapped to refer to member 'subscript'}}
    // expected-note@+2 {{chain the optional}}
    // expected-note@+1 {{force-unwrap}}
    raw["meta"]["next"]
}

// expected-error@+1 {{cannot convert value of type 'String' to specified type 'JsonPath'}}
let place: JsonPath = "$.meta.next"

// expected-error@+2 {{type 'ForgottenReader' does not conform to protocol 'RawDecodable'}}
// expected-error@+1 {{write 'from(raw:)' by hand, or conform to 'Decodable' and 'RawDecodable'}}
struct ForgottenReader: DecodableByHand {
    let x: Double
}

// expected-error@+2 {{type 'ForgottenFormat' does not conform to protocol 'NamedFormat'}}
// expected-error@+1 {{declare the format of the type: 'static let format'}}
struct ForgottenFormat: CustomScalar {
    let cents: Int
}
