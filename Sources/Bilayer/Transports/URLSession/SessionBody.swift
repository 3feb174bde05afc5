import Foundation

#if canImport(FoundationNetworking)
/// Reads the request's body into memory, and calls a closure with the request. On Linux, a session that is given a file
/// ends the process if the exchange ends while a part of the file is read. This happens after a cancellation, or when
/// the server closes the connection. A session that is given a stream would not send the length of the body.
func withSessionBody<Result>(
    of request: HTTPRequest,
    _ body: (HTTPRequest) async throws -> Result
) async throws -> Result {
    guard let content = request.body, content.data == nil else { return try await body(request) }
    var request = request
    do {
        request.body = .data(try await content.collected(maximumBytes: .max))
        try Task.checkCancellation()
    } catch let error where !(error is CancellationError) {
        throw TransportError(ofBody: error)
    }
    return try await body(request)
}
#else
/// Calls a closure with a request whose body is no stream, because the transport gives a session only bytes in memory
/// and files. A stream is written to a temporary file, which only the user can read. The file is removed when the
/// closure has returned.
func withSessionBody<Result>(
    of request: HTTPRequest,
    _ body: (HTTPRequest) async throws -> Result
) async throws -> Result {
    guard let stream = request.body, stream.data == nil, stream.file == nil else { return try await body(request) }
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("bilayer-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: url) }
    do {
        try await stream.write(toNewFileAt: url)
    } catch let error where !(error is CancellationError) {
        throw TransportError(ofBody: error)
    }
    var request = request
    request.body = .file(at: url)
    return try await body(request)
}

extension HTTPBody {
    /// Writes all bytes to a new file, which only the user can read.
    fileprivate func write(toNewFileAt url: URL) async throws {
        let isMade = FileManager.default.createFile(
            atPath: url.path,
            contents: nil,
            attributes: [.posixPermissions: 0o600]
        )
        guard isMade else {
            let found = "found a temporary folder that no file can be made in, expected a writable one"
            throw TransportError(.bodyUnavailable, detail: found)
        }
        let file = try FileHandle(forWritingTo: url)
        defer { try? file.close() }
        for try await chunk in self { try file.write(contentsOf: chunk) }
        try Task.checkCancellation()
    }
}
#endif
