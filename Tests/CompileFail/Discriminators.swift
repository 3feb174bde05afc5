import Bilayer

// expected-error@+2 {{type 'Untagged' does not conform to protocol 'Discriminated'}}
// expected-note@+1 {{add stubs for conformance}}
enum Untagged: Discriminated {
    case photo(PhotoEntry)
}

enum Media: Discriminated {
    case photo(PhotoEntry)

    static let discriminator = Discriminator<Media>
        .on(
            "type",
            [
                "photo": { .photo(try .from(raw: $0)) },
                // expected-error@+2 {{type 'Media' has no member 'film'}}
                // expected-error@+1 {{cannot infer contextual base in reference to member 'from'}}
                "film": { .film(try .from(raw: $0)) },
            ]
        )
}

enum Attachment: Discriminated {
    case photo(PhotoEntry)
    case unknown

    static let discriminator = Discriminator<Attachment>
        .on(
            "type",
            ["photo": { .photo(try .from(raw: $0)) }],
            // expected-error@+1 {{has no member 'unknown'}}
            otherwise: .unknown
        )
}

enum Picture: Discriminated {
    case photo(PhotoEntry)

    // expected-error@+1 {{cannot convert value of type '[String : @Sendable (PhotoEntry) -> Picture]' to expected}}
    static let discriminator = Discriminator<Picture>.on("type", ["photo": Picture.photo])
}

enum Frame: Discriminated {
    case photo(PhotoEntry)

    static let discriminator = Discriminator<Frame>
        .on(
            "type",
            // expected-error@+2 {{cannot convert value of type 'KeyPath<Frame, @Sendable (PhotoEntry) -> Frame>' to expected}}
            // expected-error@+1 {{key path cannot refer to enum case 'photo'}}
            ["photo": \Frame.photo]
        )
}

enum Clip: Discriminated {
    case photo(PhotoEntry)

    // expected-error@+1 {{cannot convert value of type '[String : @Sendable (Json) throws -> PhotoEntry]' to expected}}
    static let discriminator = Discriminator<Clip>.on("type", ["photo": PhotoEntry.from])
}

// expected-error@+2 {{type 'ReadOnly' does not conform to protocol 'Encodable'}}
// expected-error@+1 {{conform to 'RawEncodable' and write 'toRaw()', or write 'encode(to:)'}}
enum ReadOnly: Discriminated, Codable {
    case photo(PhotoEntry)

    static let discriminator = Discriminator<ReadOnly>.on("type", ["photo": { .photo(try .from(raw: $0)) }])
}

// expected-error@+2 {{type 'ForgottenWriter' does not conform to protocol 'RawEncodable'}}
// expected-error@+1 {{write 'toRaw()' by hand, with the tag of each variant}}
enum ForgottenWriter: Discriminated, Codable, RawEncodable {
    case photo(PhotoEntry)

    static let discriminator = Discriminator<ForgottenWriter>.on("type", ["photo": { .photo(try .from(raw: $0)) }])
}

// expected-error@+2 {{type 'TagOfText' does not conform to protocol 'RawDecodable'}}
// expected-error@+1 {{remove the raw value, or replace 'Discriminated' by 'CodableByHand'}}
enum TagOfText: String, Discriminated, Decodable {
    case photo

    static let discriminator = Discriminator<TagOfText>.on("type", ["photo": { _ in .photo }])
}

// expected-error@+2 {{type 'WrittenTag' does not conform to protocol 'RawDecodable'}}
// expected-error@+1 {{remove the raw value, or replace 'Discriminated' by 'CodableByHand'}}
enum WrittenTag: Int, Discriminated, RawEncodable, Codable {
    case photo

    static let discriminator = Discriminator<WrittenTag>.on("type", ["photo": { _ in .photo }])

    func toRaw() -> Json { ["type": "photo"] }
}
