/// Joins calls for single ids into one call for many.
///
/// The first id opens a batch, which then waits for further ids for a short time, its *window*. The batch is loaded
/// when its window ends or when it is full. Every caller receives the value of its own id, or an error. If several
/// callers of a batch ask for the same id, it is loaded once.
///
/// ```swift
/// let users = BatchLoader<String, User>(window: .milliseconds(10), atMost: 50) { ids in
///     let users = try await client.fetch(Route<[User]>.get("users", query: ["name": ids]))
///     return Dictionary(users.map { ($0.name, $0) }) { first, _ in first }
/// }
/// let ada = try await users.value(for: "Ada")
/// ```
/// Use one loader for each signed-in account. Make a new loader when the account changes, so that no batch has ids of
/// two accounts.
///
/// A cancelled caller leaves its batch; the other callers still wait. When the last caller leaves, the batch is
/// cancelled. The loader does not keep values after the batch. To store them, use ``HTTPCache`` or ``ValueCache``.
public final class BatchLoader<ID: Hashable & Sendable, Value: Sendable>: Sendable {
    private let window: Duration
    private let most: Int
    private let clock: any Clock<Duration>
    private let load: @Sendable ([ID]) async throws -> [ID: Result<Value, any Error>]
    let state = Locked(BatchState<ID, Value>())

    /// Makes a loader whose closure returns values only. If the closure throws, all callers of the batch get the error,
    /// but never a `CancellationError` that they did not cause.
    /// - Parameters:
    ///   - window: How long a batch waits for further ids.
    ///   - most: The number of ids with which a batch is full, at least one.
    ///   - clock: The clock that measures the window.
    ///   - load: Loads the values of the ids. No id occurs twice. An id without a value in the result fails with a
    ///     ``BatchMissError``.
    public convenience init(
        window: Duration = .milliseconds(10),
        atMost most: Int = 100,
        clock: any Clock<Duration> = ContinuousClock(),
        load: @escaping @Sendable ([ID]) async throws -> [ID: Value]
    ) {
        self.init(window: window, atMost: most, clock: clock) { ids in try await load(ids).mapValues { .success($0) } }
    }

    /// Makes a loader whose closure returns a value or an error for each id.
    /// - Parameters:
    ///   - window: How long a batch waits for further ids.
    ///   - most: The number of ids with which a batch is full, at least one.
    ///   - clock: The clock that measures the window.
    ///   - results: Loads the value or the error of each id. No id occurs twice. An id without a result fails with a
    ///     ``BatchMissError``.
    public init(
        window: Duration = .milliseconds(10),
        atMost most: Int = 100,
        clock: any Clock<Duration> = ContinuousClock(),
        results: @escaping @Sendable ([ID]) async throws -> [ID: Result<Value, any Error>]
    ) {
        self.window = window
        self.most = max(most, 1)
        self.clock = clock
        load = results
    }

    /// Returns the value of an id, loaded in one batch with the ids of other callers.
    /// - Parameter id: The id.
    /// - Returns: The value.
    /// - Throws: The error of this id, or the error of the whole batch. ``BatchMissError`` if the result of the batch
    ///   has no value for the id. `CancellationError` if the calling task was cancelled.
    public func value(for id: ID) async throws -> Value {
        let waiter = state.withLock { $0.makeNumber() }
        return try await state.wait { state, continuation in
            let number = state.openBatch { number in Task { await self.loadAfterWindow(number) } }
            guard state.add(continuation, waiter, id, to: number) >= most, let ids = state.start(number) else {
                return .waits()
            }
            let timer = state.batches[number]?.task
            state.batches[number]?.task = Task { await self.run(ids, number) }
            // The batch is full, so it does not wait for the end of the window.
            return .waits { timer?.cancel() }
        } leave: { state in
            let (continuation, task) = state.withLock { $0.leave(waiter) }
            task?.cancel()
            return continuation
        }
    }

    /// Waits for the end of the window, then loads the batch unless it already started or was cancelled.
    private func loadAfterWindow(_ number: Int) async {
        try? await clock.pause(for: window)
        guard let ids = state.withLock({ $0.start(number) }) else { return }
        await run(ids, number)
    }

    private func run(_ ids: [ID], _ number: Int) async {
        let loaded: Result<[ID: Result<Value, any Error>], any Error>
        do {
            loaded = .success(try await load(ids))
        } catch {
            // Callers that still wait are not cancelled, so they get no `CancellationError`.
            loaded = .failure(error is CancellationError ? SharedWorkCancelled() : error)
        }
        for (id, continuation) in state.withLock({ $0.end(number) }) {
            continuation.resume(with: loaded.flatMap { $0[id] ?? .failure(BatchMissError()) })
        }
    }
}

/// The error of an id for which the result of a batch has no value.
public struct BatchMissError: Error, Sendable, Hashable {
    /// Makes the error, for tests.
    public init() {}
}

extension BatchMissError: Redacted {
    /// The reason.
    public var description: String { "found no value for the id in the answer to the batch, expected one" }
}

extension BatchLoader: Redacted {}
