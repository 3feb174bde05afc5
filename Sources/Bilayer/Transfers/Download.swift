public import Foundation

/// A download of a response's body to a file, made by `client.download(_:to:)`.
///
/// The request is sent when the first event is requested. Before the last event, the complete file is moved to its
/// destination. Until then the bytes are in another file in the same folder.
public struct Download: AsyncSequence, Sendable {
    /// The elements of an iteration.
    public typealias Element = DownloadEvent

    let plan: DownloadPlan

    /// Begins an iteration. The request is sent when the first event is requested.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(plan) }

    /// Makes the call, and waits for the file.
    /// - Returns: The URL of the file.
    /// - Throws: ``CallError``, the error of the check, an error of the file system, or `CancellationError`.
    @discardableResult
    public func file() async throws -> URL {
        for try await _ in self {}
        return plan.destination
    }

    /// Makes the call, and writes the received bytes to the file.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let plan: DownloadPlan
        private let context: CallContext
        private let call: LongCall
        private var part: PartialFile?
        private var chunks: HTTPBody.AsyncIterator?
        /// The size of the whole file; `nil` if the server does not state it.
        private var total: Int?
        /// The bytes of the open range; `nil` for a response with the whole file.
        private var range: ClosedRange<Int>?
        /// Whether all bytes have arrived.
        private var isWhole = false
        /// The number of bytes in the last progress event.
        private var reported = 0
        /// The number of attempts in a row without progress.
        private var attempts = 0
        /// The largest size of the part after a chunk of this iteration. After a restart of the file, only bytes beyond
        /// this size are progress.
        private var furthest = 0
        private var isOver = false

        init(_ plan: DownloadPlan) {
            self.plan = plan
            context = plan.makeContext()
            call = LongCall(context)
        }

        /// The next progress, then the finished file, then `nil`.
        /// - Throws: ``CallError``, the error of the check, an error of the file system, or `CancellationError`.
        @concurrent
        public mutating func next() async throws -> DownloadEvent? {
            if isOver { return nil }
            call.begin()
            do {
                while true {
                    do {
                        let event = try await receive()
                        if isOver { call.end() }
                        return event
                    } catch {
                        chunks = nil
                        try await waitToReopen(after: error)
                    }
                }
            } catch {
                isOver = true
                let isRefused = error is DownloadCheckError
                part?.end(keeping: plan.resumes && !isRefused)
                let failure = (error as? DownloadCheckError)?.cause ?? error
                call.end(failure, isReported: isRefused || error is CallError || error is CancellationError)
                throw failure
            }
        }

        /// Returns the next event: the progress after a chunk, or at the end the finished file. Opens the response if
        /// none is open.
        /// - Throws: The error of the attempt, after which the response may be opened again.
        @concurrent
        private mutating func receive() async throws -> DownloadEvent {
            while !isWhole {
                if chunks == nil { try await open() }
                guard let part else { throw CancellationError() }
                do {
                    if let chunk = try await nextChunk() {
                        try append(chunk, to: part)
                        if part.count > furthest { (furthest, attempts) = (part.count, 0) }
                        return progress(of: part)
                    }
                    chunks = nil
                    isWhole = try endsFile(part)
                } catch let error as TransportError {
                    throw context.callError(after: error, in: .transport)
                }
            }
            guard let part else { throw CancellationError() }
            // The last bytes may come from an earlier download. No event of this download has reported them yet.
            if reported != part.count { return progress(of: part) }
            try part.synchronize()
            do {
                try await plan.check(part.url)
            } catch let error where !(error is CancellationError) {
                throw DownloadCheckError(cause: error)
            }
            try Task.checkCancellation()
            try part.move(to: plan.destination)
            isOver = true
            chunks = nil
            return .finished(plan.destination)
        }

        /// - Throws: ``CallError``, whatever the transport or a node of the app throws, or `CancellationError`.
        @concurrent
        private mutating func nextChunk() async throws -> Data? {
            do {
                let chunk = try await chunks?.next()
                if let chunk { context.countReceived(chunk.count) }
                return chunk
            } catch {
                context.observe(.lost(error))
                throw context.callError(after: error, in: .transport)
            }
        }

        private mutating func progress(of part: PartialFile) -> DownloadEvent {
            reported = part.count
            return .progress(TransferProgress(bytes: part.count, total: total))
        }

        /// Appends a chunk. If there are more bytes than the range has, drops all bytes of the part and throws.
        private func append(_ chunk: Data, to part: PartialFile) throws {
            guard let range, part.count + chunk.count > range.upperBound + 1 else { return try part.append(chunk) }
            try part.restart()
            throw TransportError(.brokenBody, detail: "found more bytes, expected the \(range.count) of the range")
        }

        /// Called when a response has ended. Returns whether the file is complete. A server may send fewer bytes than
        /// were requested (RFC 9110 §15.3.7). In this case, the rest is requested.
        private func endsFile(_ part: PartialFile) throws(TransportError) -> Bool {
            guard let range else { return true }
            guard part.count == range.upperBound + 1 else {
                let found = part.count - range.lowerBound
                throw TransportError(.brokenBody, detail: "found \(found) bytes, expected \(range.count)")
            }
            return part.count == total
        }

        /// Opens the response. If there is a part with a validator, requests only the bytes after it, on condition that
        /// the server still has the same file.
        private mutating func open() async throws {
            let part = try part ?? PartialFile(for: plan.destination, isKept: plan.resumes)
            self.part = part
            range = nil
            if part.count > 0, let known = part.validator {
                let (request, response) = try await plan.open(known, part.count, context)
                guard let request, known.isRequested(by: request), ![200, 203].contains(response.status.code) else {
                    return try beginFile(part, response, to: request)
                }
                if try add(response, to: part, of: known, request) { return }
            }
            if part.count > 0 { try part.restart() }
            let (request, response) = try await plan.open(nil, 0, context)
            try beginFile(part, response, to: request)
        }

        /// Begins to read the bytes after the part.
        /// - Returns: False if the whole file has to be requested: the part is of another file or another user, or the
        ///   server's response to the range is wrong.
        private mutating func add(
            _ response: HTTPResponse,
            to part: PartialFile,
            of known: EntityValidator,
            _ request: DownloadRequest
        ) throws -> Bool {
            guard let found = ContentRange(response), known.accepts(found, of: response, to: request) else {
                return false
            }
            if response.status == 416 {
                // There are no bytes after the end of the part. So the part is complete, or belongs to another file.
                guard let total = found.total, total == part.count else { return false }
                self.total = total
                range = 0...total - 1
                chunks = HTTPBody.data(Data()).makeAsyncIterator()
                return true
            }
            guard response.status == 206, let bytes = found.bytes, bytes.lowerBound == part.count,
                // A range of an encoded response would count compressed bytes.
                !response.isEncoded
            else { return false }
            let completed = known.completed(by: found)
            try part.store(completed)
            (total, range) = (completed.length, bytes)
            chunks = response.chunks.makeAsyncIterator()
            return true
        }

        /// Begins the file again with a response that starts with the first byte of the file.
        private mutating func beginFile(
            _ part: PartialFile,
            _ response: HTTPResponse,
            to request: DownloadRequest?
        ) throws {
            if response.status == 206 { throw malformed("found a range, expected the whole file") }
            try part.restart()
            total = response.streamLength
            try part.store(request.flatMap { EntityValidator(response, of: $0) })
            chunks = response.chunks.makeAsyncIterator()
        }

        /// Makes the error of a response that does not fit the request.
        private func malformed(_ detail: String) -> any Error {
            context.callError(after: TransportError(.malformedResponse, detail: detail), in: .transport)
        }

        /// Waits until the response may be opened again.
        /// - Throws: The error, if it is final. `CancellationError` if the task is cancelled during the wait.
        private mutating func waitToReopen(after error: any Error) async throws {
            attempts += 1
            let wait = plan.reconnection.wait(
                before: attempts,
                after: error,
                for: "the download goes on",
                in: context
            )
            guard let wait else { throw error }
            try await context.clock.pause(for: wait)
        }
    }
}

/// An event of a download.
public enum DownloadEvent: Sendable, Hashable {
    /// The number of received bytes, including those of an earlier download.
    case progress(TransferProgress)
    /// The last event: the file is complete, at this URL.
    case finished(URL)
}

/// The error of a file that the app's check has refused.
private struct DownloadCheckError: Error {
    let cause: any Error
}

/// The settings of a download.
struct DownloadPlan: Sendable {
    let destination: URL
    let resumes: Bool
    let reconnection: Reconnection
    let check: @Sendable (URL) async throws -> Void
    let makeContext: @Sendable () -> CallContext
    /// Opens the response. Requests the bytes from a position on, if the server may still have the file of the
    /// validator.
    let open: @Sendable (EntityValidator?, Int, CallContext) async throws -> (DownloadRequest?, HTTPResponse)
}

extension Download: Redacted {}
extension Download.AsyncIterator: Redacted {}

extension DownloadEvent: Redacted {
    /// The progress, or `finished`.
    public var description: String {
        switch self {
        case .progress(let progress): progress.description
        case .finished: "finished"
        }
    }
}
