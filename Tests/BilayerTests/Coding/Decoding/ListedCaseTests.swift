import Foundation
import Testing

@testable import Bilayer

private enum ListedShape: Codable, Equatable, CaseIterable {
    case plain(Int)
    case imageURL(Int)
    case twoWords(x: Int)
    // The name of a server's key.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    case first_name(Int)
    case sha256(Int)
    case aB2C(Int)
    case nothing

    static var allCases: [ListedShape] {
        [.plain(1), .imageURL(2), .twoWords(x: 3), .first_name(4), .sha256(5), .aB2C(6), .nothing]
    }
}

private enum SingleShape: Codable, Equatable { case firstName(Int) }

/// Two cases with one key.
private enum TwinShape: Decodable, Equatable {
    case imageURL(Int)
    case imageUrl(Int)
}

private enum ListedName: String, CodingKey { case userURL, sha256, id }

/// The names that `allKeys` lists, for an enum of keys and for a key type that takes any name.
private struct ListedNames: Decodable {
    let cases: [String]
    let any: [String]

    init(from decoder: any Decoder) throws {
        cases = try decoder.container(keyedBy: ListedName.self).allKeys.map(\.stringValue)
        let container = try decoder.container(keyedBy: PathKey.self)
        _ = container.allKeys
        any = container.allKeys.map(\.stringValue)
    }
}

@Suite("Cases that a type lists, under a naming", .smallStack)
struct ListedCaseTests {
    private static let namings: [KeyNaming] = [.snakeCase, .kebabCase, KeyNaming { $0.uppercased() }]

    @Test("an enum with payloads is read as it was written", arguments: namings.indices)
    func shapes(naming: Int) throws {
        var conventions = CodingConventions()
        conventions.keys = Self.namings[naming]
        for shape in ListedShape.allCases {
            let data = try conventions.encoder.encode([shape])
            #expect(try conventions.decoder.decode([ListedShape].self, from: data) == [shape])
        }
    }

    @Test("an enum with a single case is read as it was written, under each separator", arguments: [0, 1])
    func single(naming: Int) throws {
        var conventions = CodingConventions()
        conventions.keys = Self.namings[naming]
        let data = try conventions.encoder.encode(SingleShape.firstName(1))
        #expect(try conventions.decoder.decode(SingleShape.self, from: data) == .firstName(1))
    }

    @Test("the first of two cases with one key is read, and the clash reported once")
    func twins() throws {
        var conventions = CodingConventions()
        conventions.keys = .snakeCase
        let mapped = mapping(.standard, conventions) {
            try conventions.decoder.decode(TwinShape.self, from: Data(#"{"image_url":{"_0":1}}"#.utf8))
        }
        #expect(mapped.value == .imageURL(1))
        #expect(mapped.lines == ["warning key clash $.image_url"])
    }

    @Test("each key is listed once, in the order of the document")
    func once() throws {
        var decoder = JsonDecoder()
        decoder.keys = .naming(.snakeCase)
        let text = #"{"sha_256":1,"id":2,"sha256":3,"user_url":4,"other":5}"#
        let names = try decoder.decode(ListedNames.self, from: Data(text.utf8))
        #expect(names.cases == ["id", "sha256", "userURL"])
        #expect(names.any == ["sha256", "id", "userUrl", "other"])
    }
}
