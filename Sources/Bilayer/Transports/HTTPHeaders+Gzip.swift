extension HTTPHeaders {
    /// Why a complete body of that many bytes, before decompression, is no whole `gzip` stream; `nil` if it can be one.
    ///
    /// libcurl takes every stream that is cut for complete, and one that is cut early for an empty body. The shortest
    /// stream, that of no bytes, has 20: a head of 10, a block of 2, and 8 for sum and length (RFC 1952 §2.3).
    func reasonForCutGzip(count: Int) -> String? {
        guard (1..<20).contains(count), let encoding = self[.contentEncoding]?.lowercased() else { return nil }
        guard encoding == "gzip" || encoding == "x-gzip" else { return nil }
        return "found \(count) bytes of gzip, expected 20 or more"
    }
}
