/// Whether a call may be made a second time by itself, where its method alone does not say so: GraphQL sends everything
/// by POST.
struct CallRepetition: CallOption, Hashable {
    let isAllowed: Bool
}

extension CallContext {
    /// Whether a request can be sent again, and does its work once then: by its body, its method (RFC 9110 §9.2.2), its
    /// key, or what it is for.
    func mayRepeat(_ request: HTTPRequest) -> Bool {
        guard request.isReplayable else { return false }
        if request.headers[.idempotencyKey]?.isEmpty == false { return true }
        if let repetition = options[CallRepetition.self] { return repetition.isAllowed }
        return [.get, .head, .put, .delete, .options, "TRACE"].contains(request.method)
    }
}
