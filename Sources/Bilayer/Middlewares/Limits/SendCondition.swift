/// Conditions that middlewares outside have set for a request. A middleware that makes requests wait checks them again
/// after the wait: a circuit may have opened meanwhile.
struct SendCondition: CallOption, Hashable {
    fileprivate var checks: [@Sendable () throws -> Void] = []

    // The conditions are no part of a request's identity: they do not change its response.
    static func == (left: SendCondition, right: SendCondition) -> Bool { true }
    func hash(into hasher: inout Hasher) {}
}

extension CallContext {
    /// Returns a copy of the context with a further condition, for an inner node.
    func with(condition: @escaping @Sendable () throws -> Void) -> CallContext {
        var all = options[SendCondition.self] ?? SendCondition()
        all.checks.append(condition)
        return with(option: all)
    }

    /// Throws the error of the first condition that does not hold any more.
    func checkConditions() throws {
        for check in options[SendCondition.self]?.checks ?? [] { try check() }
    }
}
