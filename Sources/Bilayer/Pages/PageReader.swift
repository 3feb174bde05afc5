/// Reads pages one after the other for one or several iterators. Each page is passed to one of the iterators.
///
/// The reader can fetch the next page ahead. That fetch runs in a task of its own, because the fetch can still run when
/// the call of `next(_:)` returns. The task is cancelled when the reader is deallocated.
final class PageReader<Response: Sendable>: Sendable {
    private struct Progress {
        var state: PageState
        var ahead: Task<Page<Response>, any Error>?
    }

    private let call: PageCall<Response>
    let semaphore = AsyncSemaphore<Int, EqualPriority>(permits: 1)
    private let progress: Locked<Progress>

    init(_ call: PageCall<Response>, from state: PageState) {
        self.call = call
        progress = Locked(Progress(state: state))
    }

    deinit { progress.withLock { $0.ahead }?.cancel() }

    /// Returns the next page. If the last call failed, reads the page of that call again.
    /// - Parameter isPrefetching: Whether to begin to fetch the following page, too.
    /// - Returns: The page; `nil` after the last one.
    /// - Throws: ``PageError``, or `CancellationError`.
    func next(_ isPrefetching: Bool) async throws -> Page<Response>? {
        try await semaphore.pass(0, .only) { try await read(isPrefetching) }
    }

    /// Reads a page. The semaphore ensures that only one call runs at a time.
    private func read(_ isPrefetching: Bool) async throws -> Page<Response>? {
        let (state, ahead) = progress.withLock { progress in
            defer { progress.ahead = nil }
            return (progress.state, progress.ahead)
        }
        if state.isFinished {
            try Task.checkCancellation()
            return nil
        }
        let page =
            if let ahead {
                try await withTaskCancellationHandler {
                    try await ahead.value
                } onCancel: {
                    ahead.cancel()
                }
            } else {
                try await call.page(at: state)
            }
        let call = call
        progress.withLock { progress in
            progress.state = page.next
            if isPrefetching, !page.next.isFinished { progress.ahead = Task { try await call.page(at: page.next) } }
        }
        return page
    }
}
