import Bilayer
import Foundation

// expected-error@+2 {{type 'Empty' does not conform to protocol 'DTODecodable'}}
// expected-note@+1 {{add stubs for conformance}}
struct Empty: DTODecodable {
    let name: String
}

// expected-error@+2 {{type 'WithInitializer' does not conform to protocol 'DTODecodable'}}
// expected-note@+1 {{add stubs for conformance}}
struct WithInitializer: DTODecodable {
    let age: Int

    init(dto: UserEntry) throws { age = dto.age }
}

// expected-error@+2 {{type 'WrongResult' does not conform to protocol 'DTODecodable'}}
// expected-note@+1 {{add stubs for conformance}}
struct WrongResult: DTODecodable {
    static func from(dto: UserEntry) throws -> User { User(name: "") }
}

// expected-error@+2 {{type 'WrongLabel' does not conform to protocol 'DTODecodable'}}
// expected-note@+1 {{add stubs for conformance}}
struct WrongLabel: DTODecodable {
    static func from(_ dto: UserEntry) throws -> WrongLabel { WrongLabel() }
}

// expected-error@+2 {{type 'Asynchronous' does not conform to protocol 'DTODecodable'}}
// expected-note@+1 {{add stubs for conformance}}
struct Asynchronous: DTODecodable {
    static func from(dto: UserEntry) async throws -> Asynchronous { Asynchronous() }
}

// expected-error@+2 {{type 'OneWay' does not conform to protocol 'DTOEncodable'}}
// expected-note@+1 {{add stubs for conformance}}
struct OneWay: DTOConvertible {
    static func from(dto: UserEntry) throws -> OneWay { OneWay() }
}

// expected-error@+2 {{type 'OtherWayBack' does not conform to protocol 'DTOEncodable'}}
// expected-note@+1 {{add stubs for conformance}}
struct OtherWayBack: DTOConvertible {
    static func from(dto: UserEntry) throws -> OtherWayBack { OtherWayBack() }
    // expected-note@+1 {{candidate has non-matching type '() throws -> PhotoEntry'}}
    func toDTO() throws -> PhotoEntry { PhotoEntry(id: "", ref: "") }
}

class Inheritable: DTODecodable {
    // expected-error@+1 {{method 'from(dto:)' in non-final class 'Inheritable' must return 'Self' to conform}}
    static func from(dto: UserEntry) throws -> Inheritable { Inheritable() }
}

struct Album: DTODecodable {
    let photos: [Photo]

    static func from(dto: [PhotoEntry]) throws -> Album {
        if dto.isEmpty {
            // expected-error@+2 {{cannot convert value of type '[PhotoEntry]' to expected argument type '[Photo]'}}
            // expected-note@+1 {{arguments to generic parameter 'Element' ('PhotoEntry' and 'Photo')}}
            return Album(photos: dto)
        }
        return try Album(photos: .from(dto: dto))
    }

    static func from(users: [UserEntry]) throws -> Album {
        // expected-error@+2 {{cannot convert value of type '[UserEntry]' to expected argument type '[PhotoEntry]'}}
        // expected-note@+1 {{arguments to generic parameter 'Element' ('UserEntry' and 'PhotoEntry')}}
        try Album(photos: .from(dto: users))
    }
}

struct Themes: DTODecodable {
    let settings: [Settings]

    static func from(dto: [PhotoEntry]) throws -> Themes {
        // expected-error@+1 {{contextual member reference to static method 'from(dto:)' requires 'Self' constraint}}
        try Themes(settings: .from(dto: dto))
    }
}
