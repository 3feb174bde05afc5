extension CallContext {
    /// Returns a copy of the context with a further condition for sending the request, for an inner node.
    ///
    /// A ``CircuitBreaker`` sets a condition. A ``ConcurrencyLimit`` and a ``RateLimit`` check it again after their
    /// wait: the circuit may have opened meanwhile.
    func with(condition: @escaping @Sendable () throws -> Void) -> CallContext {
        var context = self
        context.sendConditions.append(condition)
        return context
    }

    /// Throws the error of the first condition that does not hold any more.
    func checkConditions() throws {
        for check in sendConditions { try check() }
    }
}
