/// Whether a call may be made a second time by itself, where its method alone does not say so: GraphQL sends everything
/// by POST.
struct CallRepetition: CallOption, Hashable {
    let isAllowed: Bool
}

extension CallContext {
    /// Whether a request can be sent again, and does its work once then: by its body, its method (RFC 9110 §9.2.2), its
    /// key, or what it is for.
    func mayRepeat(_ request: HTTPRequest) -> Bool { obstacle(toRepeating: request) == nil }

    /// Why a request cannot be sent again, in words for a note; `nil` if it can.
    func obstacle(toRepeating request: HTTPRequest) -> String? {
        guard request.isReplayable else { return "its body can be sent once" }
        if request.headers[.idempotencyKey]?.isEmpty == false { return nil }
        let isIdempotent = [.get, .head, .put, .delete, .options, "TRACE"].contains(request.method)
        let isAllowed = options[CallRepetition.self]?.isAllowed ?? isIdempotent
        return isAllowed ? nil : "\(request.method) without an Idempotency-Key is not sent again"
    }
}
