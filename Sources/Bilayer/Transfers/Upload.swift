/// A call that reports how many bytes of its body were sent, made by `client.upload(_:)`.
///
/// The request is sent when the iteration begins. A loop that ends early cancels the request.
public struct Upload<Response: Sendable>: AsyncSequence, Sendable {
    /// The elements of an iteration.
    public typealias Element = UploadEvent<Response>

    typealias Progress = @Sendable (TransferProgress) -> Void

    /// Begins the call of an iteration, for the user who is signed in at that moment. The returned closure makes the
    /// call.
    let begin: @Sendable () -> @Sendable (@escaping Progress) async throws -> Response

    /// Begins an iteration, and sends the request.
    ///
    /// A slow reader receives only the latest two events. It can miss progress, but never the response.
    public func makeAsyncIterator() -> AsyncIterator {
        let (events, sink) = AsyncThrowingStream<Element, any Error>
            .makeStream(bufferingPolicy: .bufferingNewest(2))
        let call = begin()
        let task = Task {
            do {
                let answer = try await call { sink.yield(.progress($0)) }
                sink.yield(.answer(answer))
                sink.finish()
            } catch {
                sink.finish(throwing: error)
            }
        }
        sink.onTermination = { _ in task.cancel() }
        return AsyncIterator(events: events.makeAsyncIterator())
    }

    /// Makes the call, and waits for the response.
    /// - Returns: The route's response.
    /// - Throws: ``CallError``, or `CancellationError`.
    public func answer() async throws -> Response {
        for try await event in self { if case .answer(let answer) = event { return answer } }
        throw CancellationError()
    }

    /// Reads the progress and the response.
    public struct AsyncIterator: AsyncIteratorProtocol {
        var events: AsyncThrowingStream<Element, any Error>.AsyncIterator
        /// Whether the response or an error was the last element.
        private var isOver = false

        init(events: AsyncThrowingStream<Element, any Error>.AsyncIterator) { self.events = events }

        /// The next progress, then the response, then `nil`. After an error, `nil`, too.
        /// - Throws: ``CallError``, or `CancellationError`.
        @concurrent
        public mutating func next() async throws -> Element? {
            if isOver { return nil }
            isOver = true
            // A stream ends without an error when its reader is cancelled.
            guard let event = try await events.next() else { throw CancellationError() }
            if case .progress = event { isOver = false }
            return event
        }
    }
}

/// An event of an upload.
public enum UploadEvent<Response: Sendable>: Sendable {
    /// The number of sent bytes of the request's body. It starts again from 0 if the body is sent again, for example by
    /// a retry.
    case progress(TransferProgress)
    /// The last event: the route's response.
    case answer(Response)
}

extension Client {
    /// Returns a sequence that makes the call of a route and reports how many bytes of its body were sent.
    ///
    /// ```swift
    /// for try await event in client.upload(Route<Photo>.post("photos", body: photo)) {
    ///     switch event {
    ///     case .progress(let progress): print(progress)                      // 1.2 MB of 18.4 MB
    ///     case .answer(let photo): print(photo)
    ///     }
    /// }
    /// ```
    /// - Parameters:
    ///   - route: The route to call.
    ///   - reporter: Receives this call's mapping issues, instead of the client's ``reporter``.
    ///   - mapping: How strict this call's mapping is, instead of the route's and the client's policy.
    /// - Returns: A sequence whose iteration makes the call.
    public func upload<Response>(
        _ route: Route<Response>,
        reporter: (any MappingReporter)? = nil,
        mapping: MappingPolicy? = nil
    ) -> Upload<Response> {
        Upload {
            let client = forUsersNow()
            return { note in
                let route = route.with(option: ProgressListener(note: note))
                return try await client.fetch(route, reporter: reporter, mapping: mapping)
            }
        }
    }
}

extension Upload: Redacted {}
extension Upload.AsyncIterator: Redacted {}

extension UploadEvent: Redacted {
    /// The progress, or the type of the response.
    public var description: String {
        switch self {
        case .progress(let progress): progress.description
        case .answer: "answer of the type \(typeName(Response.self))"
        }
    }
}
