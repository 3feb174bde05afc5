public import Foundation

/// How to find the next page of a list: by offset, page number, cursor or link.
///
/// ```swift
/// let strategies: [PageStrategy] = [
///     .offset(limit: 50),                                          // ?offset=100&limit=50
///     .pageNumber(size: 50).total(.pages(at: "meta.last_page")),   // ?page=3&per_page=50
///     .cursor(at: "meta.next", as: "cursor"),                      // {"meta":{"next":"c2"}} -> ?cursor=c2
///     .connection(at: "data.trips"),                               // pageInfo { endCursor } -> variables.after
///     .link(),                                                     // Link: </users?page=3>; rel="next"
///     .link(at: "links.next"),                                     // {"links":{"next":"/users?page=3"}}
/// ]
/// ```
/// A path in a response starts at the root of the received JSON. It includes the envelope, even if the client or the
/// route removes it. The pages end in these cases:
/// - by offset or page number: at a page without elements;
/// - by cursor or link: when the cursor or link is missing, `null`, `false` or empty;
/// - by a cursor with a flag, as in a GraphQL connection: also when the flag is `false`;
/// - when the number of ``total(_:)`` or ``atMost(pages:)`` is reached.
public struct PageStrategy: Sendable {
    /// How a response states the next page, and how a request asks for it: names of query items, and paths.
    enum Kind: Sendable {
        case offset(name: String, start: Int, limit: Int?, limitName: String)
        case number(name: String, first: Int, size: Int?, sizeName: String)
        case cursor(path: String, name: String)
        case bodyCursor(path: String, destination: String, flag: String?)
        case linkField(relation: String)
        case linkMember(path: String)
    }

    let kind: Kind
    var total: PageTotal?
    var maximumPages: Int?
    var allowedOrigins: [URL] = []

    /// Requests each page by its offset, which is `start` plus the number of elements before the page.
    ///
    /// The next offset counts the elements of the JSON list that is mapped. It includes elements that a tolerant
    /// mapping dropped, but not elements that a node of ``Client/raw`` or ``Route/raw`` removed. If the route maps a
    /// value that is not a list, the next offset counts the elements of the response instead.
    /// - Parameters:
    ///   - name: The query item of the offset.
    ///   - start: The offset of the first page.
    ///   - limit: The number of elements to request; `nil` sends no limit.
    ///   - limitName: The query item of the limit.
    /// - Returns: The strategy.
    public static func offset(
        as name: String = "offset",
        from start: Int = 0,
        limit: Int? = nil,
        as limitName: String = "limit"
    ) -> PageStrategy {
        PageStrategy(kind: .offset(name: name, start: start, limit: limit, limitName: limitName))
    }

    /// Requests each page by its number.
    /// - Parameters:
    ///   - name: The query item of the page number.
    ///   - first: The number of the first page.
    ///   - size: The number of elements to request for a page; `nil` sends no size.
    ///   - sizeName: The query item of the size.
    /// - Returns: The strategy.
    public static func pageNumber(
        as name: String = "page",
        from first: Int = 1,
        size: Int? = nil,
        as sizeName: String = "per_page"
    ) -> PageStrategy {
        PageStrategy(kind: .number(name: name, first: first, size: size, sizeName: sizeName))
    }

    /// Reads the cursor of the next page from the JSON of the current page. The cursor is a string or a number.
    /// - Parameters:
    ///   - path: The path of the cursor in the whole JSON of the response.
    ///   - name: The query item that sends the cursor.
    /// - Returns: The strategy.
    public static func cursor(at path: String, as name: String) -> PageStrategy {
        PageStrategy(kind: .cursor(path: path, name: name))
    }

    /// Reads the cursor from the JSON of the response, and sends it in the JSON of the next request: for a search by
    /// `POST`.
    /// - Parameters:
    ///   - path: The path of the cursor in the whole JSON of the response. The cursor is a string or a number.
    ///   - destination: The path in the next request's JSON at which the cursor is put. A number stays a number.
    ///   - flag: The path of a flag in the response. The pages end if the flag is `false`. With `nil`, no flag is
    ///     read.
    /// - Returns: The strategy.
    public static func cursor(at path: String, inBody destination: String, while flag: String? = nil) -> PageStrategy {
        PageStrategy(kind: .bodyCursor(path: path, destination: destination, flag: flag))
    }

    /// Requests the pages of a GraphQL connection (GraphQL Cursor Connections Specification).
    ///
    /// Reads `pageInfo { endCursor hasNextPage }` of a page, and sends the cursor in a variable of the next request.
    ///
    /// ```swift
    /// let strategy = PageStrategy.connection(at: "data.trips")
    /// ```
    /// - Parameters:
    ///   - path: The path of the connection in the whole JSON of the response.
    ///   - variable: The variable that sends the cursor.
    /// - Returns: The strategy.
    public static func connection(at path: String, as variable: String = "after") -> PageStrategy {
        let info = "\(path).pageInfo"
        return cursor(at: "\(info).endCursor", inBody: "variables.\(variable)", while: "\(info).hasNextPage")
    }

    /// Reads the address of the next page from the `Link` header field of the current page (RFC 8288).
    /// - Parameters:
    ///   - relation: The relation of the link.
    ///   - origins: Origins to which a link may point, besides the origin of the client's base address. Requests to
    ///     these origins also carry the client's headers, including tokens in them. List only origins you trust.
    /// - Returns: The strategy.
    public static func link(_ relation: String = "next", allowing origins: [URL] = []) -> PageStrategy {
        PageStrategy(kind: .linkField(relation: relation), allowedOrigins: origins)
    }

    /// Reads the address of the next page from the JSON of the current page, as in JSON:API, HAL and OData.
    /// - Parameters:
    ///   - path: The path of the address in the whole JSON, for example `_links.next.href` or `["@odata.nextLink"]`.
    ///   - origins: Origins to which a link may point, besides the origin of the client's base address. Requests to
    ///     these origins also carry the client's headers, including tokens in them. List only origins you trust.
    /// - Returns: The strategy.
    public static func link(at path: String, allowing origins: [URL] = []) -> PageStrategy {
        PageStrategy(kind: .linkMember(path: path), allowedOrigins: origins)
    }

    /// Returns a copy whose pages also end when the total that the server states is reached.
    public func total(_ total: PageTotal) -> PageStrategy {
        var strategy = self
        strategy.total = total
        return strategy
    }

    /// Returns a copy whose pages also end after a number of pages. At least one page is read.
    ///
    /// If the iteration began at a saved position, the pages before it count, too.
    public func atMost(pages: Int) -> PageStrategy {
        var strategy = self
        strategy.maximumPages = pages
        return strategy
    }
}

extension PageStrategy: Redacted {}
