import Foundation

/// What the stop rules of a strategy read of a page.
struct PageFacts {
    /// The whole JSON; `nil` if the body is none.
    let document: Json?
    let headers: HTTPHeaders
    /// The address of the request, or of the response after redirects.
    let url: URL?
    /// The number of elements that the server sent.
    let count: Int
    /// The digest of the body.
    let body: UInt64
}

/// A digest of bytes that is equal in every process (FNV-1a).
func bodyDigest(_ bytes: Data) -> UInt64 {
    bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
}
