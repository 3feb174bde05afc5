/// The total number of elements or pages, as a page states it: a stop rule of a ``PageStrategy``.
///
/// The value on a page is ignored if it is negative, if it is zero although the page has elements, or if it is a header
/// field that is no number. A page without the value does not end the pages.
public struct PageTotal: Sendable {
    enum Unit { case elements, pages }
    enum Source {
        case member(path: String)
        case field(HTTPHeaders.Name)
    }

    let unit: Unit
    let source: Source

    /// Reads the number of all elements at a path in the whole JSON of a page.
    public static func elements(at path: String) -> PageTotal {
        PageTotal(unit: .elements, source: .member(path: path))
    }
    /// Reads the number of all pages at a path in the whole JSON of a page.
    public static func pages(at path: String) -> PageTotal { PageTotal(unit: .pages, source: .member(path: path)) }
    /// Reads the number of all elements from a header field, such as `X-Total-Count`.
    public static func elements(in field: HTTPHeaders.Name) -> PageTotal {
        PageTotal(unit: .elements, source: .field(field))
    }
    /// Reads the number of all pages from a header field.
    public static func pages(in field: HTTPHeaders.Name) -> PageTotal { PageTotal(unit: .pages, source: .field(field)) }

    /// The total that a page states; `nil` if it states none, or if its value is ignored.
    func count(on page: PageFacts) throws -> Int? {
        let count: Int? =
            switch source {
            case .member(let path): try page.document?.decodeIfPresent(path: path)
            case .field(let name): page.headers[name].flatMap { Int($0) }
            }
        // Servers send -1 or 0 for a number that they have not counted.
        guard let count, count >= 0, count > 0 || page.count == 0 else { return nil }
        return count
    }
}

extension PageTotal: Redacted {}
