extension CallContext {
    /// Returns a copy of the context with a further condition for sending the request, for an inner node.
    ///
    /// A ``CircuitBreaker`` sets a condition. A ``ConcurrencyLimit`` and a ``RateLimit`` check it again after their
    /// wait: the circuit may have opened meanwhile.
    func with(condition: some SendCondition) -> CallContext {
        var context = self
        context.sendConditions.append(condition)
        return context
    }

    /// Notes that the request begins to wait. The end of the wait is ``checkConditions()``.
    func beginWait() {
        for condition in sendConditions { condition.beginWait() }
    }

    /// Throws the error of the first condition that does not hold any more.
    func checkConditions() throws {
        for condition in sendConditions { try condition.endWait() }
    }
}
