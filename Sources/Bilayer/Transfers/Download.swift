public import Foundation

/// The body of a response on its way to a file, made by `client.download(_:to:)`.
///
/// The request is sent when the iteration begins. The file is there after the last event, whole: until then the bytes
/// are in another file beside it.
public struct Download: AsyncSequence, Sendable {
    /// What an iteration yields.
    public typealias Element = DownloadEvent

    let plan: DownloadPlan

    /// Sends the request.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(plan) }

    /// Waits for the file.
    /// - Returns: The place of the file.
    /// - Throws: ``CallError``, the error of the check, an error of the file system, or `CancellationError`.
    @discardableResult
    public func file() async throws -> URL {
        for try await _ in self {}
        return plan.place
    }

    /// Receives the file.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let plan: DownloadPlan
        private let context: CallContext
        private var part: PartialFile?
        private var chunks: HTTPBody.AsyncIterator?
        private var total: Int?
        private var attempts = 0
        private var isOver = false

        init(_ plan: DownloadPlan) {
            self.plan = plan
            context = plan.makeContext()
        }

        /// The next progress, then the finished file, then `nil`.
        /// - Throws: ``CallError``, the error of the check, an error of the file system, or `CancellationError`.
        @concurrent
        public mutating func next() async throws -> DownloadEvent? {
            if isOver { return nil }
            do {
                while true {
                    do {
                        return try await receive()
                    } catch {
                        chunks = nil
                        try await goOn(after: error)
                    }
                }
            } catch {
                isOver = true
                part?.end(keeping: plan.resumes && !(error is DownloadCheckError))
                throw (error as? DownloadCheckError)?.cause ?? error
            }
        }

        @concurrent
        private mutating func receive() async throws -> DownloadEvent {
            if chunks == nil { try await open() }
            guard let part else { throw CancellationError() }
            do {
                if let chunk = try await chunks?.next() {
                    try part.append(chunk)
                    attempts = 0
                    return .progress(TransferProgress(bytes: part.count, total: total))
                }
            } catch let error as TransportError {
                throw outcome(of: error, in: .transport, of: context)
            }
            try part.close()
            do {
                try await plan.check(part.place)
            } catch {
                throw DownloadCheckError(cause: error)
            }
            try Task.checkCancellation()
            try part.move(to: plan.place)
            isOver = true
            chunks = nil
            return .finished(plan.place)
        }

        /// Opens the response, from where the file ends if the server still has the same one.
        private mutating func open() async throws {
            let part = try part ?? PartialFile(for: plan.place, isKept: plan.resumes)
            self.part = part
            var response: HTTPResponse
            do {
                response = try await plan.open(part.count > 0 ? part.validator : nil, part.count, context)
            } catch let error as CallError where error.status == 416 && part.count > 0 {
                // There is nothing after the end of the part: it is whole, or of another file.
                if ContentRange(error.response)?.total == part.count {
                    chunks = HTTPBody.data(Data()).makeAsyncIterator()
                    return
                }
                try part.restart()
                response = try await plan.open(nil, 0, context)
            }
            if response.status == 206, part.count > 0 {
                guard let range = ContentRange(response), range.first == part.count else {
                    let error = TransportError(
                        .malformedResponse,
                        detail: "found another range, expected one from \(part.count)"
                    )
                    throw outcome(of: error, in: .transport, of: context)
                }
                total = range.total
            } else {
                try part.restart()
                total = response.streamLength
            }
            try part.remember(EntityValidator(response))
            chunks = response.chunks.makeAsyncIterator()
            response.stream = nil
        }

        /// Waits until the response may be opened again.
        /// - Throws: The error, if it is final.
        private mutating func goOn(after error: any Error) async throws {
            let fault = ((error as? CallError)?.underlyingError as? TransportError)?.kind
            attempts += 1
            guard attempts <= plan.reconnection.attempts, let fault, RetryPolicy.retriedFaults.contains(fault) else {
                throw error
            }
            let wait = plan.reconnection.wait(before: attempts, asked: nil)
            context.note("the download goes on after \(wait.formattedSeconds)")
            try await context.clock.sleep(for: wait)
        }
    }
}

/// What happens in a download.
public enum DownloadEvent: Sendable, Hashable {
    /// So many bytes of the file are there, those of an earlier download included.
    case progress(TransferProgress)
    /// The file is at its place: the last event.
    case finished(URL)
}

/// The app's check has refused a file.
private struct DownloadCheckError: Error {
    let cause: any Error
}

/// What a download needs to know.
struct DownloadPlan: Sendable {
    let place: URL
    let resumes: Bool
    let reconnection: Reconnection
    let check: @Sendable (URL) async throws -> Void
    let makeContext: @Sendable () -> CallContext
    /// Opens the response, from a byte on if the file is still that of the validator.
    let open: @Sendable (EntityValidator?, Int, CallContext) async throws -> HTTPResponse
}

extension Download: Redacted {}
extension Download.AsyncIterator: Redacted {}

extension DownloadEvent: Redacted {
    /// The progress, or that the file is there.
    public var description: String {
        switch self {
        case .progress(let progress): progress.description
        case .finished: "finished"
        }
    }
}
