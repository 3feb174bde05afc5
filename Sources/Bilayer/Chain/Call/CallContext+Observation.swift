extension CallContext {
    /// Adds a note to the call's ``events``. A ``CallError`` of the call also contains the note. Do not pass payload
    /// values or secrets.
    /// - Parameter text: One line.
    public func note(_ text: String) {
        let event = append(.note(text))
        observer?.observe(event, in: self)
    }

    /// Records the request that a transport sends, after every change by middlewares. A transport calls this method
    /// right before it sends. An error of the call shows the last request that the failed attempt has recorded.
    /// - Parameter request: The request as sent.
    public func recordSent(_ request: HTTPRequest) {
        record.recordSent(request, byTransport: true)
        if observer == nil { return }
        beginExchange()
        observe(.sent(request))
    }

    /// Records an event for the observer of the call. Without an observer, no event is made.
    func observe(_ kind: @autoclosure () -> CallEvent.Kind) {
        guard observer != nil else { return }
        let event = append(kind())
        // The observer is read again. It is `nil` now if the call has meanwhile left a request that it shared.
        observer?.observe(event, in: self)
    }

    /// Whether the call has an observer, and this context belongs to the call itself.
    private var isObserved: Bool { observer != nil && isOfCall }

    /// Notifies the observer that the call begins.
    @usableFromInline
    func observeBegin() {
        if isObserved, !isLong { observe(.began) }
    }

    /// Notifies the observer that a stage has ended.
    func observeEnd(of stage: CallStage, failure: (any Error)? = nil) {
        if isObserved { observe(.stageEnded(stage, failure: failure)) }
    }

    /// Notifies the observer that the call has ended.
    @usableFromInline
    func observeEnd(failure: (any Error)? = nil) {
        if isObserved, !isLong { observe(.ended(metrics, failure: failure)) }
    }

    /// Notifies the observer that the exchange of this run or attempt has ended. Does nothing without an observer, or
    /// if no exchange is open.
    func observeExchange(_ outcome: AttemptOutcome) {
        guard observer != nil, endExchange() else { return }
        switch outcome {
        case .response(let response): observe(.received(response.withoutStream))
        case .failure(let error): observe(.lost(error))
        }
    }
}
