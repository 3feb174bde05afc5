import Foundation

/// The facts about a page from which a strategy finds the next page or the end.
struct PageFacts {
    /// The whole JSON of the response; `nil` if the body is not JSON.
    let document: Json?
    let headers: HTTPHeaders
    /// The URL of the response after redirects (``HTTPResponse/target``); the URL of the request if the response has
    /// none.
    let url: URL?
    /// The number of elements in the JSON list that is mapped; the number of elements of the response if the mapped
    /// value is no JSON list.
    let count: Int
    /// The hash of the list; the hash of the whole body if the mapped value is no JSON list.
    let listHash: UInt64
}
