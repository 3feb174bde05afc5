import Bilayer
import Foundation
import Testing

/// Converts a field in its own `init(from:)` and checks a rule in its own `encode(to:)`.
private struct LinkEntry: Codable {
    let url: URL

    enum CodingKeys: String, CodingKey { case url }

    init(url: URL) { self.url = url }

    init(from decoder: any Decoder) throws {
        let text = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .url)
        url = try text.parsed(as: .url, "url")
    }

    func encode(to encoder: any Encoder) throws {
        try require(that: url.scheme == "https", "expected https", at: "url")
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(url.absoluteString, forKey: .url)
    }
}

private struct PageEntry: Codable, RawMappable {
    var url = "fine"
    var links: [LinkEntry] = []
    var main: LinkEntry?
    var named: [String: LinkEntry]?
}

private struct LossyPageEntry: Codable, RawMappable { @Lossy var links: [LinkEntry] }

/// Where the second of two links stands.
private enum Place: String, CaseIterable {
    case list, member, dictionary

    var path: String {
        switch self {
        case .list: "$[0].links[1].url"
        case .member: "$[0].main.url"
        case .dictionary: "$[0].named.*.url"
        }
    }

    var text: String {
        switch self {
        case .list: #"[{"url":"fine","links":[{"url":"https://e.com"},{"url":"x"}]}]"#
        case .member: #"[{"url":"fine","links":[],"main":{"url":"x"}}]"#
        case .dictionary: #"[{"url":"fine","links":[],"named":{"k":{"url":"x"}}}]"#
        }
    }

    func page(_ bad: LinkEntry) -> PageEntry {
        switch self {
        case .list: PageEntry(links: [LinkEntry(url: URL("https://e.com")), bad])
        case .member: PageEntry(main: bad)
        case .dictionary: PageEntry(named: ["k": bad])
        }
    }
}

@Suite("Errors that an app throws in its own `init(from:)` and `encode(to:)`")
struct ErrorsOfOwnCodeTests {
    @Test(
        "have the whole path, under every policy",
        arguments: Place.allCases,
        [MappingPolicy.standard, .strict, .collectingAll()]
    )
    fileprivate func reading(place: Place, policy: MappingPolicy) throws {
        let json = try Json(parsing: place.text)
        let mapped = mapping(policy) { try [PageEntry].from(raw: json) }
        #expect(mapped.issues.map(\.path.description) == [place.path])
        #expect(mapped.issues.map(\.owner) == ["LinkEntry"])
        #expect(throws: MappingError.self) { try [PageEntry].from(raw: json) }
    }

    @Test("so have the causes of what is left out")
    func salvaged() throws {
        let json = try Json(parsing: Place.list.text)
        for mapped in [
            mapping(.salvaging) { try [PageEntry].from(raw: json).map(\.links.count) },
            mapping(.standard) { try [LossyPageEntry].from(raw: json).map(\.links.count) },
        ] {
            #expect(mapped.value == [1])
            #expect(mapped.issues.map(\.path.description) == ["$[0].links[1]"])
            #expect(mapped.issues.first?.causes.map(\.path.description) == ["$[0].links[1].url"])
        }
    }

    @Test("also when a value is written", arguments: Place.allCases)
    fileprivate func writing(place: Place) {
        let page = place.page(LinkEntry(url: URL("http://e.com")))
        let mapped = mapping { try [page].toRaw() }
        #expect(mapped.issues.map(\.path.description) == [place.path])
        let error = #expect(throws: MappingError.self) { try JsonEncoder().encode([page]) }
        #expect(error?.path.description == place.path)
    }

    @Test("also by the decoder alone, and an error of another type is thrown as it is")
    func decoderAlone() throws {
        struct Own: Error {}
        struct Failing: Decodable { init(from decoder: any Decoder) throws { throw Own() } }
        let data = Data(Place.list.text.utf8)
        let error = #expect(throws: MappingError.self) { try JsonDecoder().decode([PageEntry].self, from: data) }
        #expect(error?.path.description == Place.list.path)
        #expect(throws: Own.self) { try JsonDecoder().decode([[Failing]].self, from: Data("[[1]]".utf8)) }
    }
}
