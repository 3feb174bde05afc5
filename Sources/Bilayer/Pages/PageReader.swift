/// Reads pages one after the other for one or several iterators: each page is passed to one of them.
///
/// The next page may be fetched ahead. That call runs in a task of its own, because it outlives the call of an iterator;
/// it is cancelled with the reader.
final class PageReader<Response: Sendable>: Sendable {
    private struct Progress {
        var state: PageState
        var ahead: Task<Page<Response>, any Error>?
    }

    private let call: PageCall<Response>
    private let isPrefetching: Bool
    private let turnstile = Turnstile(places: 1)
    private let progress: Locked<Progress>

    init(_ call: PageCall<Response>, from state: PageState, isPrefetching: Bool) {
        self.call = call
        self.isPrefetching = isPrefetching
        progress = Locked(Progress(state: state))
    }

    deinit { progress.withLock { $0.ahead }?.cancel() }

    /// The next page. After an error it is the page that failed.
    func next() async throws -> Page<Response>? {
        try await turnstile.pass { try await self.read() }
    }

    /// Reads a page; never called by two at a time.
    private func read() async throws -> Page<Response>? {
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
