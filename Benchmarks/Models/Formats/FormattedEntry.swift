import Bilayer

/// One value in a format of the server's own, as a `Codable` entry reads it.
struct FormattedEntry<Format: NamedFormat>: Decodable {
    @Formatted<Format> var value: Format.FormattedValue
}

/// The same value as the text that it is: what every engine reads that leaves the format to other code.
struct TextEntry: Decodable {
    let value: String
}
