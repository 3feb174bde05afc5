extension Client {
    /// Makes the call of a route and reports the outcome to a closure.
    ///
    /// For code that is not async yet; a thin form of ``fetch(_:reporter:mapping:)``. The closure is called exactly
    /// once, also after a cancel (then with `CancellationError`), and runs where it says: on the main actor if it is
    /// marked so.
    ///
    /// ```swift
    /// let call = client.fetch(.users) { @MainActor result in show(result) }
    /// call.cancel()
    /// ```
    /// - Parameters:
    ///   - route: The endpoint.
    ///   - completion: Gets what the route promises, or a ``CallError``, or `CancellationError`.
    /// - Returns: The running call, to cancel it. Letting it go does not cancel.
    @discardableResult
    public func fetch<Response>(
        _ route: Route<Response>,
        completion: sending @escaping @isolated(any) (Result<Response, any Error>) -> Void
    ) -> CallHandle {
        let task = Task {
            let result: Result<Response, any Error>
            do {
                result = .success(try await fetch(route))
            } catch {
                result = .failure(error)
            }
            await completion(result)
        }
        return CallHandle { task.cancel() }
    }
}

/// A call that was started with a closure.
public struct CallHandle: Sendable {
    private let onCancel: @Sendable () -> Void

    init(onCancel: @escaping @Sendable () -> Void) {
        self.onCancel = onCancel
    }

    /// Ends the call; without effect once it has its outcome.
    public func cancel() {
        onCancel()
    }
}

#if canImport(Combine)
public import Combine

extension CallHandle: Cancellable {}
#endif
