import Bilayer
import BilayerTesting
import Foundation
import Testing

// A legacy model whose source moves from REST to GraphQL. The screens use only `Games.Info`.

private enum Games {
    struct Info: Hashable, Sendable {
        let gameId: Int
        let bonusMultiplier: Int
        let maxTicketCost: Decimal
        let currentDraws: [DrawInfo]
    }

    struct DrawInfo: Hashable, Sendable {
        let number: Int
        let closes: Date
    }
}

/// The entry of the REST interface.
private struct GameInfoEntry: Codable, RawMappable {
    struct Draw: Codable {
        let drawNumber: Int?
        @Formatted<UnixSeconds> var closesAt: Date
    }
    let gameId: Int
    let bonusMultiplier: Int?
    @Formatted<Quoted<Decimal>> var maxTicketCost: Decimal
    let currentDraws: [Draw]
}

/// The entry as a generator of a GraphQL client makes it: everything is optional, and connections have edges.
private struct GameInfoFragment: Codable, RawMappable {
    struct Bonus: Codable { let multiplier: Int? }
    struct Ticket: Codable { let maxCost: Decimal? }
    struct Draws: Codable {
        struct Edge: Codable {
            struct Node: Codable {
                let id: String?
                let closesAt: String?
            }
            let node: Node?
        }
        let edges: [Edge]?
    }
    let id: String?
    let bonus: Bonus?
    let ticket: Ticket?
    let draws: Draws?
}

extension Games.Info {
    fileprivate init(_ entry: GameInfoEntry) throws {
        self.init(
            gameId: entry.gameId,
            bonusMultiplier: entry.bonusMultiplier.default(1, "bonusMultiplier"),
            maxTicketCost: entry.maxTicketCost,
            currentDraws: try .lossy(from: entry.currentDraws, at: "currentDraws") { draw in
                Games.DrawInfo(number: try draw.drawNumber.require("drawNumber"), closes: draw.closesAt)
            }
        )
    }

    fileprivate init(_ game: GameInfoFragment) throws {
        self.init(
            gameId: try game.id.parsed(as: .quoted, "id"),
            bonusMultiplier: (game.bonus?.multiplier).default(1, "bonus.multiplier"),
            maxTicketCost: try (game.ticket?.maxCost).require("ticket.maxCost"),
            currentDraws: try (game.draws?.edges)
                .require("draws.edges") { edges in
                    try .lossy(from: edges) { edge in
                        try edge.node.require("node") { node in
                            Games.DrawInfo(
                                number: try Int(node.id.require("id")).require("id"),
                                closes: try node.closesAt.require("closesAt").parsed(as: .rfc3339, "closesAt")
                            )
                        }
                    }
                }
        )
    }
}

extension Route where Response == Games.Info {
    fileprivate static func legacyInfo(_ id: Int) -> Route {
        .get("games/{id}", ["id": id]) { (entry: GameInfoEntry) in try Games.Info(entry) }
    }

    fileprivate static func graphInfo(_ id: Int) -> Route {
        Route<GameInfoFragment>.post("graphql", body: ["query": "…", "variables": ["id": Json(id)]] as Json)
            .at("data.game").converting { try Games.Info($0) }
    }
}

extension Migration where Model == Games.Info {
    fileprivate static func info(_ id: Int) -> Migration {
        Migration(
            from: .legacyInfo(id),
            to: .graphInfo(id),
            named: "Games.Info",
            comparing: .exact.unordered("currentDraws", by: "number").tolerating(0.005, at: "maxTicketCost")
        )
    }
}

@Suite("Migration: Games.Info moves from REST to GraphQL", .timeLimit(.minutes(5)))
struct GamesInfoTests {
    private static let rest = """
        {"gameId":7,"bonusMultiplier":2,"maxTicketCost":"12.50","currentDraws":[\
        {"drawNumber":41,"closesAt":1700000000},{"drawNumber":null,"closesAt":1700000100},\
        {"drawNumber":43,"closesAt":1700000200}]}
        """
    private static let graph = """
        {"data":{"game":{"id":"7","bonus":{"multiplier":2},"ticket":{"maxCost":12.5},"draws":{"edges":[\
        {"node":{"id":"43","closesAt":"2023-11-14T22:16:40Z"}},{"node":{"id":"x","closesAt":null}},\
        {"node":{"id":"41","closesAt":"2023-11-14T22:13:20Z"}}]}}}}
        """

    private let server: FaultServer
    private let book = MigrationBook()
    private let collected = CollectingReporter()

    init() async throws { server = try await FaultServer.start() }

    private func migrator(_ mode: MigrationMode) -> Migrator {
        var client = Client(baseURL: server.url)
        client.reporter = collected
        return Migrator(old: client, new: client, mode: mode, differences: book.reporter, user: { "ada" })
    }

    private func serve(rest: String = Self.rest, graph: String = Self.graph) {
        server.on(.get, "/games/7", .json(rest))
        server.on(.post, "/graphql", .json(graph))
    }

    @Test("both sources make the same model, and the order of the draws does not matter")
    func agreement() async throws {
        defer { server.stop() }
        serve()
        let migrator = migrator(.shadow(share: 1))
        let info = try await migrator.fetch(.info(7))
        #expect(info.currentDraws.map(\.number) == [41, 43])
        #expect(info.maxTicketCost == Decimal(string: "12.50"))
        try await migrator.waitForShadows()
        #expect(migrator.tally(of: "Games.Info").agreed == 1)
        #expect(book.reports.isEmpty)
    }

    @Test("draws that cannot be mapped are left out with a report, in both sources")
    func drops() async throws {
        defer { server.stop() }
        serve()
        _ = try await migrator(.old).fetch(.info(7))
        #expect(collected.issues.map(\.path.description) == ["$.currentDraws[1]"])
        #expect(collected.issues.allSatisfy { $0.kind == .dropped && $0.severity == .warning })
        _ = try await migrator(.new).fetch(.info(7))
        #expect(collected.issues.count == 2)
        #expect(collected.issues.last?.kind == .dropped)
    }

    @Test("what the new source gets wrong is named by its field")
    func difference() async throws {
        defer { server.stop() }
        serve(
            graph: Self.graph.replacingOccurrences(of: #""multiplier":2"#, with: #""multiplier":3"#)
                .replacingOccurrences(of: "22:13:20", with: "23:13:20")
        )
        let migrator = migrator(.shadow(share: 1))
        #expect(try await migrator.fetch(.info(7)).bonusMultiplier == 2)
        try await migrator.waitForShadows()
        #expect(
            book.reports.first?.differences.map(\.path.description)
                == ["$.bonusMultiplier", "$.currentDraws[0].closes"]
        )
    }

    @Test("the screens do not change: the same call answers from GraphQL, and from REST if that fails")
    func switching() async throws {
        defer { server.stop() }
        serve()
        let old = try await migrator(.old).fetch(.info(7))
        let new = try await migrator(.share(1)).fetch(.info(7))
        #expect(Set(old.currentDraws) == Set(new.currentDraws) && old.gameId == new.gameId)

        serve(graph: #"{"data":{"game":null},"errors":[{"message":"down"}]}"#)
        let migrator = migrator(.new)
        #expect(try await migrator.fetch(.info(7)) == old)
        #expect(migrator.tally(of: "Games.Info").fellBack == 1)
        #expect(book.reports.map(\.outcome) == [.fellBack])
    }
}
