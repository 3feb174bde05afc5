import Foundation

/// The facts of a page that the stop rules of a strategy read.
struct PageFacts {
    /// The whole JSON; `nil` if the body is none.
    let document: Json?
    let headers: HTTPHeaders
    /// The address of the request, or of the response after redirects.
    let url: URL?
    /// The number of elements that the server sent.
    let count: Int
    /// The digest of the list, or of the body.
    let body: UInt64
}
