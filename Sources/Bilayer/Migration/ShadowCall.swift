/// The call of the new source beside a call of the old source. It fetches the new model, waits for the old model,
/// compares the two, and counts and reports the result.
struct ShadowCall<Model: Sendable>: Sendable {
    let migration: Migration<Model>
    let client: Client
    let limit: Duration
    let log: MigrationLog

    /// Makes the shadow call.
    /// - Parameters:
    ///   - run: Calls the new source with a time limit. Abandons the source at the limit, or when the shadow call is
    ///     cancelled.
    ///   - old: Passes the outcome of the app's call. Ends without an element if that call was cancelled.
    func make(_ run: ShadowRun, beside old: AsyncStream<Result<Model, any Error>>) async {
        let new = await limitedResult(run)
        guard let old = await old.first(where: { _ in true }) else { return }
        // A cancelled shadow call is neither counted nor reported.
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

    /// Compares the two models, and counts and reports the differences.
    private func compare(_ old: Model, _ new: Model) {
        let differences = migration.compare(old, new)
        // A cancelled comparison is incomplete: it stops pairing the elements of lists.
        if Task.isCancelled { return }
        log.add(differences, of: migration.name, by: migration.rules)
    }

    /// Returns the outcome of the new source; a timeout error if the time limit was reached first.
    private func limitedResult(_ run: ShadowRun) async -> Result<Model, any Error> {
        let outcome = await run.call(within: limit, of: client.clock) { try await migration.new(client) }
        guard case .failure(let error) = outcome.result, outcome.isTimeUp else { return outcome.result }
        return .failure(timedOut("shadow call", within: limit, error))
    }
}
