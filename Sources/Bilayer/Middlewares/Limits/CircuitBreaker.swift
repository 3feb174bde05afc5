import Foundation

/// A middleware that stops sending requests to a host that fails again and again, and tests it with one request, the
/// probe, after a pause.
///
/// ```swift
/// let transport = URLSessionTransport().wrapped(by: .circuitBreaker(failures: 5, pause: .seconds(30)))
/// ```
///
/// - *Closed*: requests are sent. A number of failures in a row opens the circuit.
/// - *Open*: requests fail at once with ``CircuitOpenError``, until the pause is over.
/// - *Half open*: one request is sent as a probe; the others still fail at once. If the probe succeeds, the circuit
///   closes. If it fails, the circuit opens for another pause. If its outcome says nothing about the host, for example
///   after a cancel, the next request is the probe. A probe that has to wait for a limit inside loses that role: after
///   its wait it asks the circuit again.
///
/// The outcome of a request counts only if the circuit has not opened or closed since the request was sent.
///
/// A failure is a 5xx status or a ``TransportError``. Some errors say nothing about the host and do not
/// count. These are an invalid or unsupported request, a request body that cannot be read, a response that is too
/// large, and a missing network. Each host (with its port) has a circuit. If a redirect leads to another host and that
/// host fails, the first host has served its request: its circuit counts a success. The other host's circuit counts
/// nothing. A stored response that an ``HTTPCache`` inside returns instead of a failure counts as that failure. Any
/// other response that the cache returns without a request does not count, such as its own 504 for `only-if-cached`.
///
/// A ``ConcurrencyLimit`` inside gives a permit to the next request before the outcome of the last request is counted.
/// So up to one further request for each permit may be sent before the circuit opens.
///
/// Add it inside of a ``Retry``, so that each attempt counts. A retry does not repeat a request that failed with
/// ``CircuitOpenError``.
public struct CircuitBreaker: Middleware {
    let circuits: Locked<CircuitsOfHosts>
    private let watch: Stopwatch

    /// Makes the middleware. Copies share the circuits.
    /// - Parameters:
    ///   - failures: The failures in a row that open a circuit, at least one.
    ///   - pause: How long a circuit stays open.
    ///   - clock: The clock that the pause is measured on.
    public init(failures: Int = 5, pause: Duration = .seconds(30), clock: any Clock<Duration> = ContinuousClock()) {
        circuits = Locked(CircuitsOfHosts(Circuit(failureLimit: failures, pause: pause)))
        watch = Stopwatch(clock)
    }

    /// Passes the request on, unless the circuit of its host is open.
    /// - Throws: ``CircuitOpenError``, and the errors of the nodes inside.
    public func intercept(
        _ request: HTTPRequest,
        in context: CallContext,
        next: some Node<HTTPRequest, HTTPResponse>
    ) async throws -> HTTPResponse {
        let host = request.hostAndPort
        let permit = try CircuitPermit(of: circuits, for: host, watch)
        if permit.isProbe { context.note("tries whether \(host) is back") }
        context.watchRequests()
        var isSuccess: Bool?
        defer { permit.end(isSuccess) }
        do {
            let response = try await next.process(request, in: context.with(condition: permit))
            isSuccess = context.showsThatHostServes(.success(response))
            return response
        } catch let error where !Task.isCancelled {
            isSuccess = context.showsThatHostServes(.failure(error))
            throw error
        }
    }
}

extension CallContext {
    /// Whether a request with this outcome was served by its host; `nil` if the outcome says nothing about the host.
    fileprivate func showsThatHostServes(_ outcome: Result<HTTPResponse, any Error>) -> Bool? {
        switch outcome.beforeReplacement {
        case .success(let response):
            if response.isWithoutRequest { return nil }
            return !response.status.isServerError || wasLedToAnotherHost
        case .failure(let error as TransportError):
            return error.kind.concernsHost ? wasLedToAnotherHost : nil
        case .failure: return nil
        }
    }

    /// Whether a redirect has led to another host: the last watched request went to another host than the first
    /// request.
    private var wasLedToAnotherHost: Bool {
        let targets = watchedRequests.targets
        guard let first = targets.first, let last = targets.last else { return false }
        return first.url.hostAndPort != last.url.hostAndPort
    }
}

extension Middleware where Self == CircuitBreaker {
    /// A middleware that stops sending requests to a host that fails again and again.
    /// - Parameters:
    ///   - failures: The failures in a row that open a circuit, at least one.
    ///   - pause: How long a circuit stays open.
    ///   - clock: The clock that the pause is measured on.
    /// - Returns: The middleware.
    public static func circuitBreaker(
        failures: Int = 5,
        pause: Duration = .seconds(30),
        clock: any Clock<Duration> = ContinuousClock()
    ) -> CircuitBreaker {
        CircuitBreaker(failures: failures, pause: pause, clock: clock)
    }
}

extension CircuitBreaker: Redacted {}
