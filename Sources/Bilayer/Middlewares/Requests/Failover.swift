public import Foundation

/// Sends a request to another base address when the first one cannot be reached.
///
/// ```swift
/// let transport = URLSessionTransport()
///     .wrapped(by: .failover([URL(string: "https://eu.example.com/v1")!, URL(string: "https://us.example.com/v1")!]))
/// let client = Client(baseURL: URL(string: "https://eu.example.com/v1")!, transport: transport)
/// ```
///
/// A request whose address starts with one of the base addresses is sent to the one that worked last. The next one
/// follows after a fault of the connection, a status of 500 and above, or an open circuit. The last outcome is returned
/// or thrown as it is. A request to another address is passed on unchanged. Case of scheme and host, and a default
/// port, make no other address.
///
/// Only idempotent requests (``RetryPolicy/idempotentMethods``) and those with an `Idempotency-Key` are sent to a
/// second address, and only if their body can be sent twice. Any request goes on from an address whose circuit is open
/// (``CircuitBreaker``), which was not sent there, unless a ``Retry`` inside has sent it before the circuit opened.
///
/// The request keeps all of its header fields, credentials included: give only addresses that may see them.
///
/// The addresses are equivalent. An ``HTTPCache`` around the failover stores the response of any of them under the
/// address of the original request. A cache inside of it stores a separate response for each.
public struct Failover: Middleware {
    private let bases: [URL]
    private let current = Locked(0)

    /// Makes the middleware. Copies share which address works.
    /// - Parameter bases: The base addresses, the preferred one first.
    public init(_ bases: [URL]) { self.bases = bases }

    /// Sends the request to one address after the other.
    /// - Throws: The error of the last address that was tried.
    public func intercept(
        _ request: HTTPRequest,
        in context: CallContext,
        next: some Node<HTTPRequest, HTTPResponse>
    ) async throws -> HTTPResponse {
        guard let rest = bases.lazy.compactMap({ request.url.rest(after: $0) }).first else {
            return try await next.process(request, in: context)
        }
        let first = current.withLock { $0 }
        let obstacle = context.obstacle(toRepeating: request)
        var untried = bases.count
        var index = first
        var wasSent = false
        while true {
            untried -= 1
            let isSentAgain = obstacle == nil && untried > 0
            var moved = request
            moved.url = URL(string: bases[index].absoluteString.withoutTrailingSlash + rest) ?? request.url
            context.noteMove(from: request.url, to: moved.url)
            do {
                let response = try await next.process(moved, in: context).answering(request, sentAs: moved)
                if !response.status.isServerError { current.withLock { $0 = index } }
                guard response.status.isServerError, untried > 0 else { return response }
                note("status \(response.status)", at: index, obstacle, in: context)
                guard isSentAgain else { return response }
                wasSent = true
            } catch let error as TransportError where untried > 0 && error.mayBeGoneElsewhere {
                note("\(error.kind)", at: index, obstacle, in: context)
                guard isSentAgain else { throw error }
                try Task.checkCancellation()
                wasSent = true
            } catch let error as CircuitOpenError {
                wasSent = wasSent || error.followsAttempt
                // If no attempt of it was sent, it is sent for the first time.
                guard untried > 0, obstacle == nil || !wasSent else { throw wasSent ? error.afterAttempt : error }
                note("its circuit is open", at: index, nil, in: context)
            }
            index = (index + 1) % bases.count
        }
    }

    private func note(_ reason: String, at index: Int, _ obstacle: String?, in context: CallContext) {
        let end = obstacle.map { "; \($0)" } ?? ""
        context.note("address \(index + 1) of \(bases.count): \(reason)\(end)")
    }
}

extension Middleware where Self == Failover {
    /// Sends a request to another base address when the first one cannot be reached.
    /// - Parameter bases: The base addresses, the preferred one first.
    /// - Returns: The middleware.
    public static func failover(_ bases: [URL]) -> Failover { Failover(bases) }
}

extension Failover: Redacted {}

extension TransportError {
    fileprivate var mayBeGoneElsewhere: Bool {
        ![.invalidRequest, .responseTooLarge, .notConnected].contains(kind)
    }
}

extension HTTPResponse {
    /// The response as the one to the request before it was moved, unless a redirect led away from there.
    fileprivate func answering(_ request: HTTPRequest, sentAs moved: HTTPRequest) -> HTTPResponse {
        guard moved.url != request.url, target.map({ $0.cacheAddress == moved.url.cacheAddress }) ?? true else {
            return self
        }
        var response = self
        response.askedAddress = request.url
        return response
    }
}

extension String {
    fileprivate var withoutTrailingSlash: String { hasSuffix("/") ? String(dropLast()) : self }
}

extension URL {
    /// Path, query and fragment, as they are written.
    private var textAfterAuthority: String {
        let text = absoluteString
        let authority = text.range(of: "://")?.upperBound ?? text.startIndex
        return String(text[authority...].drop { !"/?#".contains($0) })
    }

    private func hasSameUser(as other: URL) -> Bool {
        user(percentEncoded: true) == other.user(percentEncoded: true)
            && password(percentEncoded: true) == other.password(percentEncoded: true)
    }

    /// The text after a base address: empty, or a path, a query or a fragment.
    ///
    /// Case of scheme and host, and a default port, make no difference (RFC 9110 §4.2.3).
    fileprivate func rest(after base: URL) -> String? {
        let (text, start) = (textAfterAuthority, base.textAfterAuthority.withoutTrailingSlash)
        guard hasSameOrigin(as: base), hasSameUser(as: base), text.hasPrefix(start) else { return nil }
        let rest = text.dropFirst(start.count)
        return rest.first.map { "/?#".contains($0) } ?? true ? String(rest) : nil
    }
}
