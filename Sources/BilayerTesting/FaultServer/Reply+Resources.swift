public import Bilayer
public import Foundation

extension Reply {
    /// Returns the reply of a file server to a request. The reply has the whole file or a part (RFC 9110 §14). It is a
    /// 304 if the client already has the file (RFC 9110 §13.1.2, §13.1.3).
    ///
    /// ```swift
    /// server.on(.get, "/film") { request in
    ///     .resource(Data(count: 100), to: request, eTag: "\"1\"")
    /// }
    /// ```
    /// A request for several ranges, or for an invalid one, receives the whole file.
    /// - Parameters:
    ///   - body: The whole file.
    ///   - request: The request.
    ///   - contentType: The media type.
    ///   - eTag: The entity tag, with its quotation marks.
    ///   - lastModified: The date of the last change, as an HTTP date.
    /// - Returns: A reply with the status 200, 206, 304 or 416.
    public static func resource(
        _ body: Data,
        to request: RecordedRequest,
        contentType: String = "application/octet-stream",
        eTag: String? = nil,
        lastModified: String? = nil
    ) -> Reply {
        var headers: HTTPHeaders = ["Accept-Ranges": "bytes"]
        headers["ETag"] = eTag
        headers["Last-Modified"] = lastModified
        let known = request.headers["If-None-Match"]
        let isKnown =
            known.map { list in
                list == "*" || list.split(separator: ",").contains { weak($0) == eTag.map { weak($0[...]) } }
            } ?? (lastModified != nil && request.headers["If-Modified-Since"] == lastModified)
        if isKnown { return .status(304, headers: headers) }
        let condition = request.headers["If-Range"]
        // `If-Range` needs the strong comparison, in which a weak tag is never equal (RFC 9110 §13.1.5).
        let isTag = condition == eTag && eTag?.hasPrefix("W/") != true
        let isSame = condition == nil || isTag || condition == lastModified
        guard isSame, let asked = request.headers["Range"], let range = byteRange(asked) else {
            return .data(body, contentType: contentType, headers: headers)
        }
        let first = range.first ?? max(body.count - (range.last ?? 0), 0)
        let last = range.first == nil ? body.count - 1 : min(range.last ?? body.count - 1, body.count - 1)
        guard first <= last else {
            headers["Content-Range"] = "bytes */\(body.count)"
            return .status(416, headers: headers)
        }
        headers["Content-Range"] = "bytes \(first)-\(last)/\(body.count)"
        let part = body.dropFirst(first).prefix(last - first + 1)
        return .data(Data(part), contentType: contentType, status: 206, headers: headers)
    }

    /// Sends bytes several times, without holding the whole body in memory.
    /// - Parameters:
    ///   - bytes: The bytes to repeat.
    ///   - count: The number of repetitions.
    ///   - contentType: The media type.
    /// - Returns: A reply with the status 200.
    public static func repeating(
        _ bytes: Data,
        count: Int,
        contentType: String = "application/octet-stream"
    ) -> Reply {
        let headers: HTTPHeaders = [.contentType: contentType, .contentLength: "\(bytes.count * max(count, 0))"]
        return Reply(head(200, headers), .bodies(bytes, count: count))
    }

    /// Returns an entity tag without the mark of weak tags, for the weak comparison (RFC 9110 §8.8.3.2).
    private static func weak(_ tag: Substring) -> String {
        let tag = tag.trimmingCharacters(in: .whitespaces)
        return tag.hasPrefix("W/") ? String(tag.dropFirst(2)) : tag
    }

    /// Returns the range of a `Range` field; `nil` for several ranges or an invalid one. If `first` is `nil`, `last` is
    /// a number of bytes at the end.
    private static func byteRange(_ field: String) -> (first: Int?, last: Int?)? {
        guard field.hasPrefix("bytes="), !field.contains(",") else { return nil }
        let ends = field.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2 else { return nil }
        let (first, last) = (Int(ends[0]), Int(ends[1]))
        if first == nil && last == nil || (first ?? 0) > (last ?? .max) { return nil }
        return (first, last)
    }
}

extension FaultServer {
    /// Scripts a chain of redirects and the reply at its end.
    ///
    /// ```swift
    /// server.onRedirects(3, from: "/start", .json("[]"))        // /start, /start-1, /start-2, /start-3
    /// ```
    /// For an endless chain, use `server.on(.get, "/loop", .redirect(to: "/loop"))`.
    /// - Parameters:
    ///   - count: The number of redirects.
    ///   - path: The path that the client requests.
    ///   - method: The method of all requests.
    ///   - status: The status of each redirect.
    ///   - last: The reply at the end of the chain.
    public func onRedirects(
        _ count: Int,
        from path: String,
        method: HTTPMethod = .get,
        status: HTTPStatus = 302,
        _ last: Reply
    ) {
        let places = (0...max(count, 0)).map { $0 == 0 ? path : "\(path)-\($0)" }
        for (place, next) in zip(places, places.dropFirst()) {
            on(method, place, .redirect(to: next, status: status))
        }
        on(method, places[places.count - 1], last)
    }
}
