extension HTTPHeaders {
    /// The names of the encodings of a body, in lower case. `identity` and `none` mean no encoding, and are left out.
    var bodyEncodings: [String] {
        values(for: .contentEncoding).flatMap { $0.split(separator: ",") }
            .map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
            .filter { !["", "identity", "none"].contains($0) }
    }

    /// Returns the reason why a received body cannot be a whole stream of its encoding; `nil` if it can be whole.
    ///
    /// libcurl reports a cut stream as complete, and a stream that is cut early as an empty body. So a stream counts as
    /// cut if it is shorter than the shortest whole stream. The shortest `gzip` stream has 20 bytes: a head of 10, an
    /// empty block of 2, and 8 for sum and length (RFC 1952 §2.3). The shortest `deflate` stream has 8 bytes: a zlib
    /// head of 2, a block of 2, and 4 for the sum (RFC 1950 §2.2).
    ///
    /// There is one exception: some servers send `deflate` without the zlib head and the sum (RFC 9110 §8.4.1.2). A
    /// whole stream of this form may have fewer than 8 bytes. Only the numbers of bytes are known here, so these
    /// numbers distinguish the two forms. Without head and sum, start and end take ten bits, and each byte at most nine
    /// (RFC 1951 §3.2.6). So a whole stream of fewer than 8 bytes has at most two bytes more than its content. With the
    /// head, a stream that is cut before byte 8 has at least three bytes more than its content, unless its content
    /// repeats itself.
    /// - Parameters:
    ///   - count: The number of body bytes before decompression.
    ///   - content: The number of body bytes after decompression.
    /// - Returns: The found and the expected number of bytes.
    func reasonForCutEncoding(count: Int, content: Int) -> String? {
        guard count > 0, let encoding = self[.contentEncoding]?.lowercased() else { return nil }
        let shortest = ["gzip": 20, "x-gzip": 20, "deflate": 8]
        guard let expected = shortest[encoding], count < expected else { return nil }
        if encoding == "deflate", content > 0, count <= content + 2 { return nil }
        return "found \(count) bytes of \(encoding == "deflate" ? encoding : "gzip"), expected \(expected) or more"
    }
}
