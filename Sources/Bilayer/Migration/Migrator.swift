/// Moves an app from one server to another, one model after the other. It makes the calls of a ``Migration`` to the old
/// or the new source, and compares their models.
///
/// ```swift
/// let rest = Client(baseURL: URL(string: "https://api.example.com/v1")!)
/// let graph = Client(baseURL: URL(string: "https://graph.example.com")!)
/// let migrator = Migrator(old: rest, new: graph, mode: .shadow(share: 0.05), differences: .log)
///
/// struct Game: Sendable { let id: Int }
/// let game = Migration<Game>(
///     from: .get("games/7") { (id: Int) in Game(id: id) },
///     to: .get("graph/games/7") { (id: String) in try Game(id: Int(id).require("id")) })
/// let shown = try await migrator.fetch(game)          // from the old server; the new one is called beside it
/// ```
///
/// | ``MigrationMode`` | Source of the result | If that fails |
/// |---|---|---|
/// | `.old` | the old source | the call fails |
/// | `.shadow(share:)` | the old source; some calls also call the new source and compare | the call fails |
/// | `.share(_:)` | the new source for some users, the old one for the others | as with `.new` or with `.old` |
/// | `.new` | the new source | the old source, counted and reported |
///
/// A call that writes (``Migration/isRead`` is false) uses one source only: it has no shadow call and no fallback.
///
/// The mode of a call is the result of `flag`. If that is `nil`, it is the migration's mode, and if that is `nil`, too,
/// the migrator's mode.
///
/// **Shadow calls** themselves never change the result, the error, the duration or the cancellation of the app's call.
/// Only what both clients share can cause such a change: a middleware such as a ``RateLimit`` or a ``CircuitBreaker``,
/// or a transport with a limit of connections. Each shadow call has its own deadline on the new client's clock.
/// If the app's call is cancelled and fails, its shadow call is cancelled, too. If a new source ignores the
/// cancellation, it is abandoned: no caller and no ``waitForShadows()`` waits for it. A new source that exceeds the
/// deadline is cancelled, and counts as failed. Keep one migrator for the life of the app: its shadow calls are
/// cancelled when it is deallocated.
public final class Migrator: Sendable {
    private let old: Client
    private let new: Client
    private let mode: MigrationMode
    private let user: @Sendable () -> String?
    private let flag: @Sendable (_ migration: String) -> MigrationMode?
    private let random: @Sendable () -> Double
    private let deadline: Duration
    private let log: MigrationLog
    let shadows: ShadowRuns

    /// Makes a migrator.
    /// - Parameters:
    ///   - old: The client of the old routes.
    ///   - new: The client of the new routes. May be equal to `old`.
    ///   - mode: The mode for migrations without their own mode.
    ///   - differences: Receives the reports.
    ///   - user: Returns the id of the current user for ``MigrationMode/share(_:)``. Called once for each such call.
    ///   - flag: A remote switch. Returns the mode of the migration with this name, or `nil` for no preference. Called
    ///     once for each call.
    ///   - shadowLimit: The maximum number of shadow calls at a time. Further calls have no shadow call, and are
    ///     counted as skipped. Including abandoned sources that have not ended, at most twice this number of sources
    ///     are called at a time.
    ///   - shadowDeadline: The time limit of a shadow call.
    ///   - random: Decides which calls have a shadow call. Returns a number from 0 up to but not including 1.
    public init(
        old: Client,
        new: Client,
        mode: MigrationMode,
        differences: DifferenceReporter = .log,
        user: @escaping @Sendable () -> String? = { nil },
        flag: @escaping @Sendable (_ migration: String) -> MigrationMode? = { _ in nil },
        shadowLimit: Int = 8,
        shadowDeadline: Duration = .seconds(30),
        random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
    ) {
        self.old = old
        self.new = new
        self.mode = mode
        self.user = user
        self.flag = flag
        self.random = random
        deadline = shadowDeadline
        log = MigrationLog(differences)
        shadows = ShadowRuns(atMost: shadowLimit)
    }

    deinit { shadows.cancelAll() }

    /// Fetches a model from the source that the mode determines.
    /// - Parameter migration: The model's two sources.
    /// - Returns: The model.
    /// - Throws: The error of the source that the call uses; the error of the old source if both failed. If the calling
    ///   task was cancelled, `CancellationError` in place of the error of a new source or of a fallback.
    public func fetch<Model>(_ migration: Migration<Model>) async throws -> Model {
        // Both sources are called for the user who is signed in at this moment.
        try await fetch(migration, from: old.forUsersNow(), or: new.forUsersNow())
    }

    @concurrent
    private func fetch<Model>(
        _ migration: Migration<Model>,
        from old: Client,
        or new: Client
    ) async throws -> Model {
        switch flag(migration.name) ?? migration.mode ?? mode {
        case .old: return try await migration.old(old)
        case .new: return try await fetchNew(migration, from: new, or: old)
        case .share(let share):
            let isChosen = user().map { sharePosition($0, in: migration.name) < share } ?? false
            return try await isChosen ? fetchNew(migration, from: new, or: old) : migration.old(old)
        case .shadow(let share):
            guard random() < share else { return try await migration.old(old) }
            return try await fetchWithShadow(migration, from: old, beside: new)
        }
    }

    private func fetchNew<Model>(
        _ migration: Migration<Model>,
        from new: Client,
        or old: Client
    ) async throws -> Model {
        do {
            let model = try await migration.new(new)
            log.count(\.answeredByNew, of: migration.name)
            return model
        } catch {
            try Task.checkCancellation()
            guard migration.isRead else {
                log.add(\.newFailed, MigrationReport(migration.name, .newFailed, newError: error))
                throw error
            }
            return try await fallBack(migration, to: old, after: error)
        }
    }

    private func fallBack<Model>(
        _ migration: Migration<Model>,
        to old: Client,
        after newError: any Error
    ) async throws -> Model {
        do {
            let model = try await migration.old(old)
            log.add(\.fellBack, MigrationReport(migration.name, .fellBack, newError: newError))
            return model
        } catch {
            try Task.checkCancellation()
            let report = MigrationReport(migration.name, .bothFailed, oldError: error, newError: newError)
            log.add(\.bothFailed, report)
            throw error
        }
    }

    private func fetchWithShadow<Model>(
        _ migration: Migration<Model>,
        from old: Client,
        beside new: Client
    ) async throws -> Model {
        // The stream passes the outcome of the app's call, if there is one, to the shadow call. A wait for it can be
        // cancelled.
        let (outcome, result) = AsyncStream.makeStream(of: Result<Model, any Error>.self)
        defer { result.finish() }
        let call = ShadowCall(migration: migration, client: new, limit: deadline, log: log)
        let shadow = migration.isRead ? shadows.start { await call.make($0, beside: outcome) } : nil
        if shadow == nil { log.count(\.skipped, of: migration.name) }
        do {
            let model = try await migration.old(old)
            result.yield(.success(model))
            return model
        } catch {
            if error is CancellationError || Task.isCancelled {
                shadow?.cancel()
            } else {
                result.yield(.failure(error))
            }
            throw error
        }
    }

    /// Returns the counts of a migration so far.
    /// - Parameter migration: The name of the migration.
    /// - Returns: The counts; zeros if no call was counted.
    public func tally(of migration: String) -> MigrationTally { log.all[migration] ?? MigrationTally() }

    /// The counts of all migrations so far, by the names of the migrations.
    public var tallies: [String: MigrationTally] { log.all }

    /// Waits until no shadow call is running: for tests, and before a process ends.
    /// - Throws: `CancellationError` if the calling task was cancelled.
    public func waitForShadows() async throws { try await shadows.waitForEnd() }

    /// Cancels all running shadow calls. They are neither counted nor reported.
    public func cancelShadows() { shadows.cancelAll() }
}

extension Migrator: Redacted {
    /// The mode: `Migrator(old)`.
    public var description: String { "Migrator(\(mode))" }
}
