public import Foundation

/// The error of a call: the stage that failed, the reason, the request and the response.
///
/// A call throws a `CallError` or, when it was cancelled, a plain `CancellationError`, which is never wrapped.
///
/// ```swift
/// do {
///     let users = try await client.fetch(.users)
/// } catch is CancellationError {
///     return
/// } catch let error as CallError {
///     print(error.stage, error.response?.status ?? 0, error.issues.map(\.path))
///     if let problem = error.failure(as: ProblemEntry.self) { show(problem) }
/// }
/// ```
///
/// A call inside a stage of another call, for example in the closure of a ``HeaderProvider``, is a separate call. If
/// the stage throws its error, that error becomes the ``underlyingError`` of the outer call's error, which has the
/// stage, request and endpoint of the outer call.
///
/// The description has no secrets, and of the payload only the error codes of GraphQL and JSON-RPC. It shows the size
/// of the body, and of the headers only the media type. The body itself is in ``response``.
public struct CallError: Error, Sendable {
    /// The stage of the pipeline that failed.
    public let stage: Stage
    /// The request as it was sent, after every middleware. If it was not sent, the request as it was passed on last.
    /// `nil` if the call failed before a request was made.
    public let request: HTTPRequest?
    /// The response; `nil` if none was received. It has the whole body, unless the body was received as a stream. If
    /// the transport failed after a complete head, the response has the status, the fields and the received part of the
    /// body (``TransportError/response``). For an element of a stream, the body is the element.
    public let response: HTTPResponse?
    /// The mapping issues of the request, of the response, or of an element of a stream. An error of an element becomes
    /// an issue, unless it is a ``StatusError``. Includes the issues of an error response whose body is not of the type
    /// that is declared for failures. Empty if the call failed for another reason.
    public let issues: [MappingIssue]
    /// The error that the stage threw.
    public let underlyingError: any Error

    /// The error of the innermost call, if a call inside this call failed, for example a call that fetches a header
    /// field. Otherwise this error itself.
    var innermost: CallError {
        var error = self
        while let inner = error.underlyingError as? CallError { error = inner }
        return error
    }
    /// The endpoint of the call; `nil` if its context was made without one.
    public let endpoint: Endpoint?
    /// The call's id.
    public let callID: UUID
    /// The notes of the call so far, and all other events if the call has an observer; at most the last 256.
    public let events: [CallEvent]
    /// The run of the pipeline that failed.
    let run: AttemptIdentity
    /// The error that the server has reported beside the data, if the mapping of the data failed.
    let reported: (any Error)?

    /// Wraps the error of a stage, as a pipeline does. Use it in a chain that is run by hand, to throw the errors that
    /// a pipeline throws.
    /// - Parameters:
    ///   - underlyingError: The error that the stage threw.
    ///   - stage: The stage.
    ///   - context: The context of the call.
    public init(_ underlyingError: any Error, in stage: Stage, of context: CallContext) {
        self.stage = stage
        self.underlyingError = underlyingError
        request = context.sentRequest
        // In another stage, a `TransportError` is an error of a node, and its response belongs to another request.
        let cut = stage == .transport ? (underlyingError as? TransportError)?.response : nil
        response = context.receivedResponse ?? cut
        issues = Self.issues(of: underlyingError, in: context)
        endpoint = context.endpoint
        callID = context.id
        events = context.events
        run = context.run
        reported = stage.mapsResponse ? context.record.run.mapped.reported : nil
    }

    private static func issues(of error: any Error, in context: CallContext) -> [MappingIssue] {
        switch error {
        case let error as MappingError: error.issues
        case let error as StatusError: (error.unreadable as? MappingError)?.issues ?? []
        default: context.elementPath.map { MappingError(wrapping: error).prefixed(by: $0).issues } ?? []
        }
    }

    /// The status of the response, if one was received.
    public var status: HTTPStatus? { response?.status }

    /// The server's own description of the failure, if the route or the client declared its type and the body was of
    /// that type. For a failure in an envelope it is a ``ServiceFailure`` (``Unwrap``).
    /// - Parameter type: The type that was declared, or `ServiceFailure`.
    /// - Returns: The value, or `nil` if this error has none of that type.
    public func failure<Failure>(as type: Failure.Type = Failure.self) -> Failure? {
        (underlyingError as? StatusError)?.failure as? Failure
    }
}

extension CallError {
    /// One of the four stages of a call.
    public typealias Stage = CallStage
}

extension CallError: Redacted {
    /// The call on the first line, and the reasons below it.
    ///
    ///     GET https://api.example.com/orders/{id} -> 200 OK, 18.4 kB, application/json: raw mapping failed
    ///       $.items[1].price: wrong type: expected Decimal, found string (5 characters) in ItemEntry
    public var description: String { ([headline] + reasonLines).joined(separator: "\n") }

    /// The lines of ``description`` after the first.
    var reasonLines: [String] {
        let isOfStatus = issues.isEmpty || underlyingError is StatusError
        let reasons = isOfStatus ? [describeForeign(underlyingError)] : issues.map(\.description)
        return reasons.flatMap { $0.split(separator: "\n") }.map { "  " + $0 }
    }
}

extension CallError: Headlined {
    /// The issues of the mapping, or one issue for the stage's error.
    var reasons: [MappingIssue] {
        issues.isEmpty || underlyingError is StatusError ? MappingError(wrapping: underlyingError).issues : issues
    }

    /// The call and the stage, on one line, without the reasons. If the reason is a ``StatusError`` of a status other
    /// than 2xx, the line has no stage.
    var headline: String {
        (request?.described(as: endpoint) ?? endpoint?.name ?? "call") + outcome
    }

    /// The part of ``headline`` after the request.
    var outcome: String {
        let answer = response.map { " -> \($0)" } ?? ""
        let saysIt = underlyingError is StatusError && response?.status.isSuccess == false
        return saysIt ? answer : "\(answer): \(stage) failed"
    }
}

extension CallError: LocalizedError {
    /// Equal to ``description``.
    public var errorDescription: String? { description }
}
