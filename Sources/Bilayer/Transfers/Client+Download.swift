public import Foundation

extension Client {
    /// Receives the body of a response into a file, and reports how much of it is there.
    ///
    /// ```swift
    /// let place = URL(fileURLWithPath: "film.mp4")
    /// for try await event in client.download(.get("film.mp4"), to: place, resuming: true) { print(event) }
    /// let file = try await client.download(.get("film.mp4"), to: place, reconnecting: .afterLoss()).file()
    /// ```
    ///
    /// The file appears at its place when it is whole; a file that was there is replaced in that moment, and stays as
    /// it is if the download fails. A lost connection is opened again as `reconnection` says. It goes on from the last
    /// byte if the server answers to `If-Range` that the file is the same (RFC 9110 §13.1.5, §14). Otherwise it begins
    /// again.
    /// - Parameters:
    ///   - route: The endpoint. Its status must be 2xx, as for every call.
    ///   - place: Where the file goes. Its folder must exist.
    ///   - resumes: Whether the part of a download that failed is kept, as a hidden file in the same folder, for the
    ///     next one to the same place. Of two at a time to one place the first resumes.
    ///   - reconnection: When a lost connection is opened again.
    ///   - check: Looks at the file before it goes to its place, for example at its checksum; an error of it ends the
    ///     download, and removes the file.
    /// - Returns: A sequence that makes the call.
    public func download(
        _ route: Route<Void>,
        to place: URL,
        resuming resumes: Bool = false,
        reconnecting reconnection: Reconnection = .never,
        checking check: @escaping @Sendable (_ file: URL) async throws -> Void = { _ in }
    ) -> Download {
        Download(
            plan: DownloadPlan(
                place: place,
                resumes: resumes,
                reconnection: reconnection,
                check: check,
                makeContext: { context(for: route) },
                open: { validator, first, context in
                    let asked = Locked<HTTPRequest?>(nil)
                    let response = try await openStream(of: route, accepting: nil, in: context) { request in
                        let request = request.downloading(from: first, of: validator)
                        asked.withLock { $0 = request }
                        return request
                    }
                    return (asked.withLock { $0 }, response)
                }
            )
        )
    }
}

extension HTTPRequest {
    /// Ranges count the bytes of the file, so it must not be compressed.
    fileprivate func downloading(from first: Int, of validator: EntityValidator?) -> HTTPRequest {
        var request = self
        request.headers[.acceptEncoding] = "identity"
        if let validator, validator.isOf(url) {
            request.headers["Range"] = "bytes=\(first)-"
            request.headers["If-Range"] = validator.value
        }
        return request
    }
}
