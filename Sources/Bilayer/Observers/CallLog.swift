import Foundation

#if canImport(os)
import os
#endif

/// An observer that writes a text for each call when the call has ended.
///
/// ```swift
/// client.observer = .log                                  // one line a call, with its events if it failed
/// client.observer = CallLog(.timeline, asCURL: true) { print($0) }
/// // GET https://api.example.com/users -> 200 OK, 18.4 kB, application/json: 0.120 s, 2 attempts, 18.4 kB received
/// //   0.001 s sent GET https://api.example.com/users
/// //   …
/// ```
/// Nothing secret is written, provided that the notes of the app have no secrets: no query values, no values of secret
/// header fields, and of the payload only the error codes of GraphQL and JSON-RPC.
public struct CallLog: CallObserver {
    /// How much is written.
    public enum Detail: Sendable {
        /// One line for each call, with the events of a call that failed or sent several requests. A cancelled call is
        /// not a failed call.
        case summary
        /// One line for each call, with its events.
        case timeline
    }

    private let detail: Detail
    private let asCURL: Bool
    private let write: @Sendable (String) -> Void

    /// Makes an observer.
    /// - Parameters:
    ///   - detail: How much is written.
    ///   - asCURL: Whether each request is written as a command for curl, too.
    ///   - write: Receives the text of each call, without a newline at its end.
    public init(_ detail: Detail = .summary, asCURL: Bool = false, write: @escaping @Sendable (String) -> Void) {
        self.detail = detail
        self.asCURL = asCURL
        self.write = write
    }

    /// Writes the text of a call that has ended. After a ``CallError``, lines with the reasons follow the first line.
    public func observe(_ event: CallEvent, in call: CallContext) {
        guard case .ended(let metrics, let failure) = event.kind else { return }
        let needsEvents =
            detail == .timeline || metrics.attempts > 1 || failure.map { !($0 is CancellationError) } == true
        let events = needsEvents || asCURL ? call.events.flatMap { lines(of: $0, needsEvents) } : []
        let reasons = (failure as? CallError)?.reasonLines ?? []
        write(([headline(of: call, metrics, failure)] + reasons + events).joined(separator: "\n"))
    }

    private func headline(of call: CallContext, _ metrics: CallMetrics, _ failure: (any Error)?) -> String {
        let asked = call.sentRequest.map { "\($0)" } ?? call.endpoint?.name ?? "call"
        let outcome =
            switch failure {
            case nil: call.receivedResponse.map { " -> \($0)" } ?? ""
            case is CancellationError: " cancelled"
            case let failure as CallError: failure.outcome
            case let failure?: " failed: \(describeForeign(failure))"
            }
        return "\(asked)\(outcome): \(metrics)"
    }

    private func lines(of event: CallEvent, _ needsEvents: Bool) -> [String] {
        var lines = needsEvents ? ["  \(event)"] : []
        if asCURL, case .sent(let request) = event.kind { lines.append("  " + request.curlCommand) }
        return lines
    }
}

extension CallObserver where Self == CallLog {
    /// An observer that writes a text for each call to the system's log (category `calls`), on Linux to standard error.
    /// The detail is ``CallLog/Detail/summary``.
    public static var log: CallLog {
        #if canImport(os)
        CallLog { text in Logger(subsystem: "Bilayer", category: "calls").info("\(text, privacy: .public)") }
        #else
        CallLog { text in FileHandle.standardError.write(Data((text + "\n").utf8)) }
        #endif
    }
}

extension CallLog: Redacted {}
