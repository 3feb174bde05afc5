/// The call of the new source beside one of the old: fetches the new model, waits for the old one, compares, counts and
/// reports.
struct ShadowCall<Model: Sendable>: Sendable {
    let migration: Migration<Model>
    let client: Client
    let limit: Duration
    let log: MigrationLog

    /// - Parameters:
    ///   - run: The run of the call.
    ///   - old: Has the outcome of the caller's call; ends without one if that was cancelled.
    func make(_ run: ShadowRun, beside old: AsyncStream<Result<Model, any Error>>) async {
        let new = await limitedResult(run)
        guard let old = await old.first(where: { _ in true }) else { return }
        // The migrator was released, or its shadow calls were cancelled.
        if Task.isCancelled { return }
        switch (old, new) {
        case (.success(let old), .success(let new)): compare(old, new)
        case (.success, .failure(let error)):
            log.add(\.newFailed, MigrationReport(migration.name, .newFailed, newError: error))
        case (.failure(let error), .success):
            log.add(\.oldFailed, MigrationReport(migration.name, .oldFailed, oldError: error))
        case (.failure(let old), .failure(let new)):
            log.add(\.bothFailed, MigrationReport(migration.name, .bothFailed, oldError: old, newError: new))
        }
    }

    private func compare(_ old: Model, _ new: Model) {
        let differences = migration.compare(old, new)
        // A comparison that is cancelled does not look for all that belongs together.
        if Task.isCancelled { return }
        log.add(differences, of: migration.name, by: migration.rules)
    }

    /// The outcome of the new source.
    private func limitedResult(_ run: ShadowRun) async -> Result<Model, any Error> {
        let outcome = await run.call(within: limit, of: client.clock) { try await migration.new(client) }
        guard case .failure(let error) = outcome.result, outcome.isTimeUp else { return outcome.result }
        return .failure(timedOut("shadow call", within: limit, error))
    }
}
