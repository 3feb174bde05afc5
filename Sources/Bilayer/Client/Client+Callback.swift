extension Client {
    /// Makes the call of a route and passes the outcome to a closure.
    ///
    /// Use this method in code that is not async. It calls ``fetch(_:reporter:mapping:)->Response``. The closure is
    /// called exactly once. The closure receives `CancellationError` if a cancel ended the call. It runs on the main
    /// actor if it is marked `@MainActor`.
    ///
    /// ```swift
    /// let call = client.fetch(.users) { @MainActor result in show(result) }
    /// call.cancel()
    /// ```
    /// - Parameters:
    ///   - route: The route to call.
    ///   - reporter: Receives this call's mapping issues, instead of the client's ``reporter``.
    ///   - mapping: How strict this call's mapping is, instead of the route's and the client's policy.
    ///   - completion: Receives the response, a ``CallError`` or `CancellationError`.
    /// - Returns: The running call, to cancel it. Releasing it does not cancel the call.
    @discardableResult
    public func fetch<Response>(
        _ route: Route<Response>,
        reporter: (any MappingReporter)? = nil,
        mapping: MappingPolicy? = nil,
        completion: sending @escaping @isolated(any) (Result<Response, any Error>) -> Void
    ) -> CallHandle {
        // The call is made for the users at this moment. The users may have changed when the task starts.
        let client = forUsersNow()
        let task = Task {
            let result: Result<Response, any Error>
            do {
                result = .success(try await client.fetch(route, reporter: reporter, mapping: mapping))
            } catch {
                result = .failure(error)
            }
            await completion(result)
        }
        return CallHandle { task.cancel() }
    }
}

/// A handle to cancel a call that was started with a closure.
public struct CallHandle: Sendable {
    private let onCancel: @Sendable () -> Void

    init(onCancel: @escaping @Sendable () -> Void) {
        self.onCancel = onCancel
    }

    /// Cancels the call; has no effect on a call that has ended.
    public func cancel() {
        onCancel()
    }
}

#if canImport(Combine)
public import Combine

extension CallHandle: Cancellable {}
#endif

extension CallHandle: Redacted {
    /// The name of the type.
    public var description: String { typeName(Self.self) }
}
