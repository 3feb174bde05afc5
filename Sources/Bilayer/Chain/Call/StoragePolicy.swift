/// An option that decides when a call uses stored responses: the policy of a cache.
protocol StoragePolicy: CallOption {
    /// The option for a look-up of the stored response that replaces a failure; `nil` if the policy allows no such
    /// response. The look-up sends no request.
    var lookUp: Self? { get }
    /// The error of a call that must not send a request; `nil` if the call may send one.
    var refusal: (any Error)? { get }
}

extension CallOptions {
    /// The policy of the call's cache; `nil` if the call has none.
    var storagePolicy: (any StoragePolicy)? {
        for option in all {
            if let policy = option as? any StoragePolicy { return policy }
        }
        return nil
    }
}

extension CallContext {
    /// Checks that a transport may send a request of the call. A cache ends each call that must not send a request. So
    /// if such a call reaches a transport, the client has no cache.
    /// - Throws: The error of a call that must not send a request.
    package func checkMaySend() throws {
        if let refusal = options.storagePolicy?.refusal { throw refusal }
    }
}
