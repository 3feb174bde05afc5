/// An option that states whether a call may be repeated automatically, if its method alone does not show it. GraphQL,
/// for example, sends queries and mutations by `POST`.
struct CallRepetition: CallOption, Hashable {
    let isAllowed: Bool
}

extension CallContext {
    /// Whether a request can be sent again without doing its work twice. The body, the method (RFC 9110 §9.2.2), the
    /// `Idempotency-Key` and the call's option decide.
    func mayRepeat(_ request: HTTPRequest) -> Bool { obstacle(toRepeating: request) == nil }

    /// Returns why a request cannot be sent again, in words for a note, or `nil` if it can.
    /// - Parameters:
    ///   - request: The request.
    ///   - methods: The methods that need no `Idempotency-Key`. They do not count if the call has a ``CallRepetition``.
    /// - Returns: The reason.
    func obstacle(
        toRepeating request: HTTPRequest,
        idempotent methods: Set<HTTPMethod> = HTTPMethod.idempotentMethods
    ) -> String? {
        guard request.isReplayable else { return "its body can be sent once" }
        if isIdempotent(request, idempotent: methods) { return nil }
        return "\(request.method) without an Idempotency-Key is not sent again"
    }

    /// Whether a request that is received twice has the effect of one. The body is not considered.
    func isIdempotent(_ request: HTTPRequest, idempotent methods: Set<HTTPMethod>) -> Bool {
        if request.headers[.idempotencyKey]?.isEmpty == false { return true }
        // GraphQL sends queries, which change nothing, by `POST`, like mutations. So its option counts before the
        // method.
        return options[CallRepetition.self]?.isAllowed ?? methods.contains(request.method)
    }
}
