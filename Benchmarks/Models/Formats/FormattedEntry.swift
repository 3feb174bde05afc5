import Bilayer

/// A value in a server's own format, as a `Codable` entry reads it.
struct FormattedEntry<Format: NamedFormat>: Decodable {
    @Formatted<Format> var value: Format.FormattedValue
}

/// A ``FormattedEntry``'s value, read as a string. An engine without formats leaves the parsing to other code.
struct TextEntry: Decodable {
    let value: String
}
