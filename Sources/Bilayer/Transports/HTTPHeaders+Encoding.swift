extension HTTPHeaders {
    /// Why a complete body of that many bytes, before decompression, is no whole stream of its encoding; `nil` if it
    /// can be one.
    ///
    /// libcurl takes every stream that is cut for complete, and one that is cut early for an empty body. The shortest
    /// `gzip`, that of no bytes, has 20: a head of 10, a block of 2, and 8 for sum and length (RFC 1952 §2.3). The
    /// shortest `deflate` has 8: a head of 2, a block of 2, and 4 for the sum (RFC 1950 §2.2).
    func reasonForCutEncoding(count: Int) -> String? {
        guard count > 0, let encoding = self[.contentEncoding]?.lowercased() else { return nil }
        let shortest = ["gzip": 20, "x-gzip": 20, "deflate": 8]
        guard let expected = shortest[encoding], count < expected else { return nil }
        return "found \(count) bytes of \(encoding == "deflate" ? encoding : "gzip"), expected \(expected) or more"
    }
}
