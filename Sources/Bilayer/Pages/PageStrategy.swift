public import Foundation

/// How the pages of a list follow each other: by offset, page number, cursor or link.
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
/// Paths are those of the response's whole JSON, before a node of the client or a path of the route takes an envelope
/// off. The pages end at an empty page (offset and page number), at a missing, `null` or empty cursor or link, at the
/// ``total(_:)``, or after ``atMost(pages:)``.
public struct PageStrategy: Sendable {
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
    var mostPages: Int?
    var allowedOrigins: [URL] = []

    /// Each page begins at an offset: the number of elements before it.
    ///
    /// The next offset counts the elements that the server sent, including those that a tolerant mapping dropped.
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

    /// Pages have numbers.
    /// - Parameters:
    ///   - name: The query item of the page number.
    ///   - first: The number of the first page.
    ///   - size: The number of elements to request; `nil` sends no size.
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

    /// Each page has the cursor of the next one in its JSON, a string or a number.
    /// - Parameters:
    ///   - path: The path of the cursor in the whole JSON.
    ///   - name: The query item that sends it.
    /// - Returns: The strategy.
    public static func cursor(at path: String, as name: String) -> PageStrategy {
        PageStrategy(kind: .cursor(path: path, name: name))
    }

    /// Each page has the cursor of the next one in its JSON, and the request sends it in its own: searches by `POST`.
    /// - Parameters:
    ///   - path: The path of the cursor in the whole JSON of the response, a string or a number.
    ///   - destination: The path in the JSON of the request at which the cursor is sent, unchanged.
    ///   - flag: The path of a flag in the response that says whether there is a next page; `nil` if a missing cursor
    ///     says so.
    /// - Returns: The strategy.
    public static func cursor(at path: String, inBody destination: String, while flag: String? = nil) -> PageStrategy {
        PageStrategy(kind: .bodyCursor(path: path, destination: destination, flag: flag))
    }

    /// Pages of a GraphQL connection: `pageInfo { endCursor hasNextPage }` of one page, and a variable of the next one
    /// (GraphQL Cursor Connections Specification).
    ///
    /// ```swift
    /// let strategy = PageStrategy.connection(at: "data.trips")
    /// ```
    /// - Parameters:
    ///   - path: The path of the connection in the whole JSON.
    ///   - variable: The variable of the cursor.
    /// - Returns: The strategy.
    public static func connection(at path: String, as variable: String = "after") -> PageStrategy {
        let info = "\(path).pageInfo"
        return cursor(at: "\(info).endCursor", inBody: "variables.\(variable)", while: "\(info).hasNextPage")
    }

    /// Each page has the address of the next one in its `Link` field (RFC 8288).
    /// - Parameters:
    ///   - relation: The relation of the link.
    ///   - origins: Origins besides that of the client's base address to which such links may point. Requests to them
    ///     have the client's headers.
    /// - Returns: The strategy.
    public static func link(_ relation: String = "next", allowing origins: [URL] = []) -> PageStrategy {
        PageStrategy(kind: .linkField(relation: relation), allowedOrigins: origins)
    }

    /// Each page has the address of the next one in its JSON: JSON:API, HAL, OData.
    /// - Parameters:
    ///   - path: The path of the address in the whole JSON, for example `_links.next.href` or `["@odata.nextLink"]`.
    ///   - origins: Origins besides that of the client's base address to which such links may point. Requests to them
    ///     have the client's headers.
    /// - Returns: The strategy.
    public static func link(at path: String, allowing origins: [URL] = []) -> PageStrategy {
        PageStrategy(kind: .linkMember(path: path), allowedOrigins: origins)
    }

    /// Returns a copy that ends when the server's total is reached.
    public func total(_ total: PageTotal) -> PageStrategy {
        var strategy = self
        strategy.total = total
        return strategy
    }

    /// Returns a copy that ends after a number of pages, at least one.
    ///
    /// Pages are counted from the first one, also when a state is restored.
    public func atMost(pages: Int) -> PageStrategy {
        var strategy = self
        strategy.mostPages = pages
        return strategy
    }
}

extension PageStrategy: Redacted {}
