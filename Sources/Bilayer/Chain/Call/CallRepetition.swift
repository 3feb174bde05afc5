/// An option that states whether a call may be repeated automatically, if its method alone does not show it. GraphQL,
/// for example, sends everything by POST.
struct CallRepetition: CallOption, Hashable {
    let isAllowed: Bool
}

extension CallContext {
    /// Whether a request can be sent again without doing its work twice. The body, the method (RFC 9110 §9.2.2), the
    /// `Idempotency-Key` and the call's option decide.
    func mayRepeat(_ request: HTTPRequest) -> Bool { obstacle(toRepeating: request) == nil }

    /// Returns why a request cannot be sent again, in words for a note, or `nil` if it can.
    func obstacle(toRepeating request: HTTPRequest) -> String? {
        guard request.isReplayable else { return "its body can be sent once" }
        if request.headers[.idempotencyKey]?.isEmpty == false { return nil }
        let isIdempotent = [.get, .head, .put, .delete, .options, "TRACE"].contains(request.method)
        let isAllowed = options[CallRepetition.self]?.isAllowed ?? isIdempotent
        return isAllowed ? nil : "\(request.method) without an Idempotency-Key is not sent again"
    }
}
