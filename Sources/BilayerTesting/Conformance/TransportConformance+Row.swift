public import Bilayer

extension TransportConformance {
    /// A promise that a transport must keep, and the check of this promise.
    public struct Row: Sendable, Redacted {
        /// The name of the row, unique among all rows.
        public let name: String
        private let body: @Sendable (AnyNode<HTTPRequest, HTTPResponse>, FaultServer) async throws -> Void

        init(
            _ name: String,
            _ body: @escaping @Sendable (AnyNode<HTTPRequest, HTTPResponse>, FaultServer) async throws -> Void
        ) {
            (self.name, self.body) = (name, body)
        }

        /// Checks a transport against a new server.
        /// - Parameters:
        ///   - transport: The transport.
        ///   - limit: The time limit of the check. A transport that neither responds nor reacts to cancellation is
        ///     abandoned at the limit.
        ///   - clock: The clock that measures the limit.
        /// - Returns: The outcome; `skipped` if the calling task was cancelled.
        public func check(
            _ transport: some Node<HTTPRequest, HTTPResponse>,
            within limit: Duration = .seconds(60),
            clock: any Clock<Duration> = ContinuousClock()
        ) async -> Outcome {
            let (outcomes, sink) = AsyncStream<Outcome>.makeStream(bufferingPolicy: .bufferingOldest(1))
            // The task is not a child task. This function would have to wait for a child task, even if the child task
            // does not react to cancellation.
            let check = Task { sink.yield(await outcome(of: transport.erased())) }
            let end = Task {
                try await clock.sleep(for: limit)
                sink.yield(.deviates("found no end within \(limit), expected an answer or an error"))
            }
            defer {
                check.cancel()
                end.cancel()
            }
            var first = outcomes.makeAsyncIterator()
            return await first.next() ?? .skipped  // cancelled
        }

        private func outcome(of transport: AnyNode<HTTPRequest, HTTPResponse>) async -> Outcome {
            do {
                let server = try await FaultServer.start()
                defer { server.stop() }
                try await body(transport, server)
                return .holds
            } catch let deviation as Deviation {
                return .deviates(deviation.text)
            } catch {
                return .deviates("found \(named(error)), expected a response")
            }
        }

        /// The name of the row.
        public var description: String { name }
    }

    /// The outcome of a row.
    public enum Outcome: Sendable, Hashable, Redacted {
        /// The promise holds.
        case holds
        /// The promise does not hold. The text says what was found and what was expected.
        case deviates(String)
        /// The row was not run, or its check was cancelled.
        case skipped

        /// The outcome as text.
        public var description: String {
            switch self {
            case .holds: "holds"
            case .deviates(let text): "DOES NOT HOLD: \(text)"
            case .skipped: "skipped"
            }
        }
    }

    /// The error of a row: what was found and what was expected.
    struct Deviation: Error { let text: String }

    static func expect<Value: Equatable>(_ what: String, _ found: Value, _ expected: Value) throws {
        guard found != expected else { return }
        throw Deviation(text: "\(what): found \(found), expected \(expected)")
    }

    /// Names an error by its kind or type, because the texts of foreign errors can contain secrets.
    static func named(_ error: any Error) -> String {
        (error as? TransportError).map { "TransportError(\($0.kind))" } ?? typeName(type(of: error))
    }
}
