import Bilayer
import BilayerTesting
import Foundation
import Testing

private struct Tariff: Equatable, Sendable {
    let source: String
}

extension Migration where Model == Tariff {
    fileprivate static var tariff: Migration {
        Migration(
            from: .get("tariff") { (name: String) in Tariff(source: name) },
            to: .get("tariff") { (name: String) in Tariff(source: name) }
        )
    }

    fileprivate static var order: Migration {
        Migration(
            from: .method(.post, "order") { (name: String) in Tariff(source: name) },
            to: .method(.post, "order") { (name: String) in Tariff(source: name) },
            named: "Order"
        )
    }
}

@Suite("Migration: who answers", .timeLimit(.minutes(5)))
struct MigrationModeTests {
    private let oldStub = StubTransport(.json("\"old\""))
    private let newStub = StubTransport(.json("\"new\""))
    private let book = MigrationBook()

    private func migrator(
        _ mode: MigrationMode,
        new: StubTransport? = nil,
        old: StubTransport? = nil,
        user: String? = nil,
        flag: @escaping @Sendable (String) -> MigrationMode? = { _ in nil }
    ) -> Migrator {
        Migrator(
            old: .migrating(old ?? oldStub),
            new: .migrating(new ?? newStub),
            mode: mode,
            differences: book.reporter,
            user: { user },
            flag: flag,
            random: { 0 }
        )
    }

    @Test("the old source answers, and the new one is not asked", arguments: [MigrationMode.old, .shadow(share: 0)])
    func old(mode: MigrationMode) async throws {
        let migrator = migrator(mode)
        #expect(try await migrator.fetch(.tariff).source == "old")
        #expect(newStub.requests.isEmpty)
        #expect(migrator.tallies.isEmpty)
    }

    @Test("the new source answers, and the old one is not asked")
    func new() async throws {
        let migrator = migrator(.new)
        #expect(try await migrator.fetch(.tariff).source == "new")
        #expect(oldStub.requests.isEmpty)
        #expect(migrator.tally(of: "Tariff").answeredByNew == 1)
    }

    @Test("if the new source fails, the old one answers; the fallback is counted and reported")
    func fallback() async throws {
        let migrator = migrator(.new, new: StubTransport(.failure(TransportError(.connectionLost))))
        #expect(try await migrator.fetch(.tariff).source == "old")
        #expect(migrator.tally(of: "Tariff").fellBack == 1)
        #expect(migrator.tally(of: "Tariff").answeredByNew == 0)
        #expect(book.reports.map(\.outcome) == [.fellBack])
        let error = try #require(book.reports.first?.newError as? CallError)
        #expect((error.underlyingError as? TransportError)?.kind == .connectionLost)
    }

    @Test("if both fail, the caller gets the error of the old source, which it has always handled")
    func bothFail() async throws {
        let migrator = migrator(
            .new,
            new: StubTransport(.status(500)),
            old: StubTransport(.status(404))
        )
        let error = await #expect(throws: CallError.self) { try await migrator.fetch(.tariff) }
        #expect(error?.status == 404)
        #expect(migrator.tally(of: "Tariff").bothFailed == 1)
        #expect(book.reports.map(\.outcome) == [.bothFailed])
    }

    @Test("a call that changes something is never repeated: no fallback, no shadow")
    func writes() async throws {
        let migrator = migrator(.new, new: StubTransport(.status(500)))
        let error = await #expect(throws: CallError.self) { try await migrator.fetch(.order) }
        #expect(error?.status == 500)
        #expect(oldStub.requests.isEmpty)
        #expect(migrator.tally(of: "Order").newFailed == 1)

        let shadowing = self.migrator(.shadow(share: 1))
        #expect(try await shadowing.fetch(.order).source == "old")
        try await shadowing.waitForShadows()
        #expect(newStub.requests.isEmpty)
        #expect(shadowing.tally(of: "Order").skipped == 1)
    }

    @Test("a query that replaces a GET is a read, though it is sent by POST")
    func reads() {
        let query = Migration<Tariff>(
            from: .get("tariff") { (name: String) in Tariff(source: name) },
            to: .method(.post, "graphql") { (name: String) in Tariff(source: name) }
        )
        #expect(query.isRead)
        #expect(!Migration.order.isRead)
        let mutation = Migration<String>(
            from: .get("trip"),
            to: .graphQL(RenameTrip(variables: .init(id: "7")), at: \.rename.id)
        )
        #expect(!mutation.isRead)
    }

    @Test("the flag comes before the model's own mode, and that before the migrator's; the flag is read for each call")
    func precedence() async throws {
        let migrator = migrator(.old, flag: { [book] in book[$0] })
        #expect(try await migrator.fetch(.tariff).source == "old")
        #expect(try await migrator.fetch(.tariff.with(mode: .new)).source == "new")
        book["Tariff"] = .new
        #expect(try await migrator.fetch(.tariff).source == "new")
        book["Tariff"] = .old
        #expect(try await migrator.fetch(.tariff.with(mode: .new)).source == "old")
        book["Tariff"] = nil
        #expect(try await migrator.fetch(.tariff.with(mode: .new)).source == "new")
    }

    @Test("a cancelled call of the new source throws CancellationError and does not fall back")
    func cancelledFallback() async throws {
        let held = StubTransport(.hold)
        let migrator = migrator(.new, new: held)
        let call = Task { try await migrator.fetch(.tariff) }
        try await held.waitForRequests(count: 1)
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        #expect(oldStub.requests.isEmpty)
        #expect(migrator.tallies.isEmpty && book.reports.isEmpty)
    }

    // MARK: Shares of users

    private func answers(share: Double, users: [String]) async throws -> Set<String> {
        var chosen: Set<String> = []
        for user in users where try await migrator(.share(share), user: user).fetch(.tariff).source == "new" {
            chosen.insert(user)
        }
        return chosen
    }

    @Test("a user has the same source in every call, and stays in every larger share")
    func shares() async throws {
        let users = (0..<400).map { "user-\($0)" }
        let fifth = try await answers(share: 0.2, users: users)
        #expect(try await answers(share: 0.2, users: users) == fifth)
        let half = try await answers(share: 0.5, users: users)
        #expect(fifth.isSubset(of: half))
        // Six standard deviations around 80 and 200.
        #expect((32...128).contains(fifth.count) && (140...260).contains(half.count))
        #expect(try await answers(share: 0, users: users).isEmpty)
        #expect(try await answers(share: 1, users: users).count == users.count)
        #expect(try await answers(share: .nan, users: users).isEmpty)
    }

    @Test("the choice is equal on every device and after every launch")
    func fixedShares() async throws {
        // Figures of FNV-1a with the finalizer of MurmurHash3, computed by a separate program.
        #expect(try await answers(share: sharedPlace - 1e-9, users: ["ada"]).isEmpty)
        #expect(try await answers(share: sharedPlace + 1e-9, users: ["ada"]) == ["ada"])
    }

    /// The share from which the user `ada` gets the new source of the migration `Tariff`.
    private let sharedPlace = 0.5797585082057207

    @Test("a call without a user has the old source")
    func nobody() async throws {
        #expect(try await migrator(.share(1), user: nil).fetch(.tariff).source == "old")
    }
}
