public import Foundation

extension Client {
    /// Returns a sequence that receives the body of a response into a file, and reports the number of received bytes.
    ///
    /// ```swift
    /// let destination = URL(fileURLWithPath: "film.mp4")
    /// for try await event in client.download(.get("film.mp4"), to: destination, resuming: true) { print(event) }
    /// let file = try await client.download(.get("film.mp4"), to: destination, reconnecting: .afterLoss()).file()
    /// ```
    ///
    /// The file appears at its destination when it is complete. An existing file is replaced at that moment, and stays
    /// unchanged if the download fails. `reconnection` decides whether a lost connection is opened again. The transfer
    /// continues after the last byte if the server's response to `If-Range` shows that the file is unchanged (RFC 9110
    /// §13.1.5, §14). Otherwise it starts again.
    ///
    /// The file is the body of any 2xx response, whatever its media type is: a 204 makes an empty file, and an error
    /// page with the status 200 becomes the file. Use `checking` to refuse these.
    /// - Parameters:
    ///   - route: The route to call. The status of its response must be 2xx.
    ///   - destination: The URL of the file. Its folder must exist.
    ///   - resumes: Whether the part of a failed download is kept for the next download to this destination, as hidden
    ///     files in the same folder. A part is kept only if its response has a strong `ETag`, or a `Last-Modified`
    ///     without an `ETag`. If two downloads to one destination are concurrent, only the first download resumes. A
    ///     part is continued only by the user who began it. That is the user of an ``Authentication`` or a ``Signing``
    ///     that sets credentials. All other credentials in the header fields must be equal. After a restart of the app,
    ///     the users of an ``Authentication`` or a ``Signing`` cannot be compared, so give each user a folder.
    ///   - reconnection: The rule for opening a lost connection again.
    ///   - reporter: Receives what the request accepts, and the failure of the download, instead of the client's
    ///     ``reporter``.
    ///   - check: Checks the complete file before it is moved to its destination, for example its checksum. An error
    ///     ends the download, and removes the received file. A `CancellationError` keeps a part that can be resumed.
    /// - Returns: A sequence whose iteration makes the call.
    public func download(
        _ route: Route<Void>,
        to destination: URL,
        resuming resumes: Bool = false,
        reconnecting reconnection: Reconnection = .never,
        reporter: (any MappingReporter)? = nil,
        checking check: @escaping @Sendable (_ file: URL) async throws -> Void = { _ in }
    ) -> Download {
        Download(
            plan: DownloadPlan(
                destination: destination,
                resumes: resumes,
                reconnection: reconnection,
                check: check,
                makeContext: { context(for: route, reporter: reporter) },
                open: { validator, first, context in
                    try await openDownload(of: route, from: first, of: validator, in: context)
                }
            )
        )
    }

    /// Opens the response. Requests the bytes from `first` on if the part may belong to the same file.
    /// - Returns: The request and the response. If a range was requested, the response can be a 416, which means that
    ///   there is no such range.
    private func openDownload(
        of route: Route<Void>,
        from first: Int,
        of validator: EntityValidator?,
        in context: CallContext
    ) async throws -> (DownloadRequest?, HTTPResponse) {
        let made = Locked<(HTTPRequest, CallContext)?>(nil)
        let sent = Locked<DownloadRequest?>(nil)
        // Called in the run that has sent the request, before the call continues with the body.
        @Sendable func recordSent() {
            let request = made.withLock { $0 }.map { DownloadRequest($0, in: $1) }
            sent.withLock { $0 = request }
        }
        let response: HTTPResponse
        do {
            response = try await openStream(of: route, accepting: nil, in: context) { request, run in
                made.withLock { $0 = (request, run) }
                return request.downloading(from: first, of: validator)
            } checking: { _ in
                recordSent()
            }
        } catch let error as CallError {
            recordSent()
            guard let validator, let request = sent.withLock({ $0 }), validator.isRequested(by: request),
                error.status == 416, let refusal = error.response
            else { throw error }
            response = refusal
        }
        return (sent.withLock { $0 }, response)
    }
}

extension HTTPRequest {
    /// Returns the request for the bytes of the file from `first` on; for the whole file if there is no validator that
    /// may match. The body must not be compressed: a range would then count compressed bytes.
    fileprivate func downloading(from first: Int, of validator: EntityValidator?) -> HTTPRequest {
        var request = self
        request.headers[.acceptEncoding] = "identity"
        if let validator, validator.mayMatch(request) {
            request.headers["Range"] = "bytes=\(first)-"
            request.headers["If-Range"] = validator.value
        }
        return request
    }
}
