import Bilayer
import BilayerTesting
import Foundation
import Testing

/// A realistic answer, with the types that read it.
struct MutationSample: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let json: String
    let check: @Sendable (Json, _ limit: Int, _ seed: UInt64) throws -> Void

    func check(limit: Int, seed: UInt64) throws { try check(Json(parsing: json), limit, seed) }
}

extension MutationSample {
    fileprivate static func entry<Entry: RawDecodable>(
        _ name: String,
        _ type: Entry.Type,
        harmless: Set<String> = [],
        _ conventions: CodingConventions = CodingConventions(),
        json: String
    ) -> MutationSample where Entry.Raw == Json {
        MutationSample(testDescription: name, json: json) { json, limit, seed in
            try expectEveryMutationIsReported(
                in: json,
                by: type,
                harmless: harmless,
                conventions: conventions,
                limit: limit,
                seed: seed
            )
        }
    }

    fileprivate static func model<Model: DTODecodable>(
        _ name: String,
        _ type: Model.Type,
        harmless: Set<String> = [],
        _ conventions: CodingConventions = CodingConventions(),
        json: String
    ) -> MutationSample where Model.DTO: RawDecodable, Model.DTO.Raw == Json {
        MutationSample(testDescription: name, json: json) { json, limit, seed in
            try expectEveryMutationIsReported(
                in: json,
                by: type,
                harmless: harmless,
                conventions: conventions,
                limit: limit,
                seed: seed
            )
        }
    }

    static let all: [MutationSample] = [
        .entry(
            "issues of a repository",
            [TicketEntry].self,
            .snakeCaseAndRFC3339,
            json: """
                [{"id":1,"node_id":"I_1","html_url":"https://git.example/1","title":"Crash","state":"open","locked":false,
                  "user":{"login":"ann","id":7,"avatar_url":"https://git.example/a.png","site_admin":false},
                  "labels":[{"id":1,"name":"bug","color":"ff0000","default":true},{"id":2,"name":"ui","color":"00ff00","default":false}],
                  "assignee":null,"comments":3,"created_at":"2026-01-01T10:00:00Z","closed_at":"2026-01-02T10:00:00Z","body":"text"}]
                """
        ),
        .entry(
            "a webhook",
            PushEntry.self,
            harmless: ["commits[].added"],
            .snakeCaseAndRFC3339,
            json: """
                {"ref":"refs/heads/main","before":"aa","after":"bb","forced":true,
                 "commits":[{"id":"c1","message":"m","timestamp":"2026-01-01T10:00:00Z","author":{"name":"Ann","email":"a@b.example"},"added":["x"]}],
                 "head_commit":{"id":"c1","message":"m","timestamp":"2026-01-01T10:00:00Z","author":{"name":"Ann","email":"a@b.example"},"added":[]},
                 "sizes":{"a.swift":120,"b.swift":80}}
                """
        ),
        .entry(
            "a payment",
            ChargeEntry.self,
            json: """
                {"id":"ch_1","object":"charge","amount":2000,"currency":"eur","captured":true,"created":1767225600,"fee":"1.25",
                 "billing":{"name":"Ann","address":{"city":"Bonn","lines":["Street 1","c/o Bo"]}},
                 "metadata":{"order":"6735"},"outcome":{"risk":12,"type":"authorized"},"refunds":[]}
                """
        ),
        .entry(
            "a document of resources",
            ArticlesEntry.self,
            harmless: ["data[].attributes.tags"],
            json: """
                {"data":[{"type":"articles","id":"1","attributes":{"title":"JSON","words":120,"tags":["a","b"]}},
                         {"type":"articles","id":"2","attributes":{"title":"XML","words":80,"tags":[]}}],
                 "links":{"self":"https://api.example/articles","next":"https://api.example/articles?page=2"},
                 "meta":{"total":2}}
                """
        ),
        .entry(
            "a graph of edges",
            TripsEntry.self,
            json: """
                {"trips":{"edges":[{"cursor":"c1","node":{"__typename":"Train","name":"ICE","wagons":8}},
                                   {"cursor":"c2","node":{"__typename":"Bus","line":"42"}}],
                          "pageInfo":{"hasNextPage":true,"endCursor":"c2"}}}
                """
        ),
        .entry(
            "a weather forecast",
            ForecastEntry.self,
            .snakeCaseAndRFC3339,
            json: """
                {"city":"Bonn","coord":{"lat":50.7,"lon":7.1},
                 "hours":[{"at":"2026-01-01T10:00:00Z","temp":3.5,"wind_speed":4,"codes":[500,701]},
                          {"at":"2026-01-01T11:00:00Z","temp":-1,"wind_speed":0.5,"codes":[]}]}
                """
        ),
        .model(
            "a profile in both layers",
            Profile.self,
            .snakeCaseAndRFC3339,
            json: """
                {"id":"u1","display_name":"Ann","joined_at":"2026-01-01T10:00:00Z","website":"https://ann.example",
                 "photos":[{"ref":"https://p.example/1","width":10},{"ref":"https://p.example/2","width":20}],"bio":"Hello"}
                """
        ),
        .model(
            "an order in both layers",
            Purchase.self,
            json: """
                {"number":"A-1","lines":[{"sku":"a","count":2,"price":"9.90"},{"sku":"b","count":1,"price":"1.10"}],
                 "total":"20.90","status":"paid","note":"-"}
                """
        ),
        .entry(
            "a settings tree by hand",
            SettingsEntry.self,
            json: """
                {"theme":{"name":"dark","accent":"blue"},"fontSize":12,"recent":["a","b"],"flags":{"beta":true,"debug":false},
                 "windows":[{"x":0,"y":1},{"x":2,"y":3}]}
                """
        ),
        .entry(
            "a calendar with formats",
            CalendarEntry.self,
            json: """
                {"day":"2026-01-01","start":"2026-01-01T10:00:00Z","length":"90","price":"9.90","cover":"https://c.example/1",
                 "key":"AAEC","id":"E621E1F8-C36C-495A-93FC-0C247A3E6E5F","repeats":["2026-02-01","2026-03-01"],"isOpen":true}
                """
        ),
    ]
}

// MARK: - Entries

private struct TicketEntry: Codable, RawMappable {
    struct Person: Codable {
        let login: String
        let id: Int
        let avatarUrl: URL
        let siteAdmin: Bool
    }
    struct Label: Codable {
        let id: Int
        let name: String
        let color: String
        let `default`: Bool
    }
    enum State: String, Codable { case open, closed }
    let id: Int
    let nodeId: String
    let htmlUrl: URL
    let title: String
    let state: State
    let locked: Bool
    let user: Person
    let labels: [Label]
    let assignee: Person?
    let comments: UInt16
    let createdAt: Date
    let closedAt: Date?
    let body: String?
}

private struct PushEntry: Codable, RawMappable {
    struct Commit: Codable {
        struct Author: Codable {
            let name: String
            let email: String?
        }
        let id: String
        let message: String
        let timestamp: Date
        let author: Author
        @Lossy var added: [String]
    }
    let ref: String
    let before: String
    let after: String
    let forced: Bool
    let commits: [Commit]
    let headCommit: Commit?
    let sizes: [String: Int]
}

private struct ChargeEntry: Codable, RawMappable {
    struct Billing: Codable {
        struct Address: Codable {
            let city: String
            let lines: [String]
        }
        let name: String
        let address: Address?
    }
    struct Outcome: Codable {
        enum Kind: String, OpenEnum { case authorized, declined }
        let risk: Int8
        let type: Open<Kind>
    }
    let id: String
    let amount: Int
    let currency: String
    let captured: Bool
    @Formatted<UnixSeconds> var created: Date
    @Formatted<Quoted<Decimal>> var fee: Decimal
    let billing: Billing
    let metadata: [String: String]
    let outcome: Outcome?
    let refunds: [Int]
}

private struct ArticlesEntry: Codable, RawMappable {
    struct Article: Codable {
        let id: String
        let title: String
        let words: Int
        @Lossy var tags: [String]?
        enum CodingKeys: String, PathCodingKey {
            case id, title, words, tags
            static let paths: [CodingKeys: [String]] = [
                .title: ["attributes.title"], .words: ["attributes.words"], .tags: ["attributes.tags"],
            ]
        }
    }
    let data: [Article]
    let links: [String: URL]
    let total: Int
    enum CodingKeys: String, PathCodingKey {
        case data, links, total
        static let paths: [CodingKeys: [String]] = [.total: ["meta.total"]]
    }
}

private struct TripsEntry: Codable, RawMappable {
    struct Edge: Codable {
        let cursor: String
        let node: Node
    }
    struct Node: Codable {
        let typename: String
        var name: String?
        var wagons: Int?
        var line: String?
        enum CodingKeys: String, CodingKey {
            case typename = "__typename"
            case name, wagons, line
        }
    }
    struct Info: Codable {
        let hasNextPage: Bool
        let endCursor: String?
    }
    struct Trips: Codable {
        let edges: [Edge]
        let pageInfo: Info
    }
    let trips: Trips
}

private struct ForecastEntry: Codable, RawMappable {
    struct Place: Codable {
        let lat: Double
        let lon: Double
    }
    struct Hour: Codable {
        let at: Date
        let temp: Float
        let windSpeed: Decimal
        let codes: [Int]
    }
    let city: String
    let coord: Place
    let hours: [Hour]
}

private struct SettingsEntry: RawDecodable {
    struct Window: RawDecodable {
        let x: Int
        let y: Int
        static func from(raw: Json) throws -> Window { try Window(x: raw.decode("x"), y: raw.decode("y")) }
    }
    struct Theme: RawDecodable {
        let name: String
        let accent: String?
        static func from(raw: Json) throws -> Theme {
            try Theme(name: raw.decode("name"), accent: raw.decodeIfPresent("accent"))
        }
    }
    let theme: Theme
    let fontSize: Double
    let recent: [String]
    let flags: [String: Bool]
    let windows: [Window]
    static func from(raw: Json) throws -> SettingsEntry {
        try SettingsEntry(
            theme: raw.decode("theme"),
            fontSize: raw.decode("fontSize"),
            recent: raw.decode("recent"),
            flags: raw.decode("flags"),
            windows: raw.decode("windows")
        )
    }
}

private struct CalendarEntry: Codable, RawMappable {
    @Formatted<DateOnly> var day: Date
    @Formatted<RFC3339?> var start: Date?
    @Formatted<Quoted<Int>> var length: Int
    @Formatted<Quoted<Decimal>> var price: Decimal
    let cover: URL
    let key: Data
    let id: UUID
    @Formatted<[DateOnly]> var repeats: [Date]
    let isOpen: Bool
}
