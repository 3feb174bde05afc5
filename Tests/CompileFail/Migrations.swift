import Bilayer

struct GameEntry: Codable, RawMappable { let id: Int }
struct Game: Sendable { let id: Int }
struct OtherGame: Sendable { let id: Int }

// expected-note@+1 {{class 'ChangingGame' does not conform to the 'Sendable' protocol}}
final class ChangingGame {
    var id: Int
    init(id: Int) { self.id = id }
}

extension Route where Response == Game {
    static var restGame: Route { .get("game") { (entry: GameEntry) in Game(id: entry.id) } }
}

extension Route where Response == OtherGame {
    static var graphGame: Route { .get("graph") { (entry: GameEntry) in OtherGame(id: entry.id) } }
}

// expected-note@+2 {{arguments to generic parameter 'Response' ('OtherGame' and 'Game') are expected to be equal}}
// expected-error@+1 {{cannot convert value of type 'Route<OtherGame>' to expected argument type 'Route<Game>'}}
private let differing = Migration(from: Route<Game>.restGame, to: Route<OtherGame>.graphGame)

extension Migration where Model == Game {
    // expected-error@+1 {{missing argument for parameter 'isRead' in call}}
    static var game: Migration { Migration(named: "Game", old: { _ in Game(id: 1) }, new: { _ in Game(id: 1) }) }
}

// expected-error@+1 {{type 'ChangingGame' does not conform to the 'Sendable' protocol}}
private typealias ChangingMigration = Migration<ChangingGame>

func fetch(_ game: Migration<Game>, by migrator: Migrator, or client: Client) async throws {
    // expected-error@+1 {{instance method 'fetch(_:reporter:mapping:)' requires that 'Migration<Game>' conform to}}
    _ = try await client.fetch(game)
    // expected-error@+1 {{member 'shadow(share:)' expects argument of type 'Double'}}
    _ = try await migrator.fetch(game.with(mode: .shadow))
    // expected-error@+1 {{missing argument label 'share:' in call}}
    _ = Migrator(old: client, new: client, mode: .shadow(0.1))
    // expected-error@+1 {{cannot convert value of type 'Bool' to closure result type '[JsonPath]'}}
    _ = Migration(from: Route<Game>.restGame, to: .restGame, compare: { $0.id == $1.id })
}
