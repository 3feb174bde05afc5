/// The total number of elements or pages, as a page states it: a stop rule of a ``PageStrategy``.
///
/// A page without the value does not end the pages, nor does one with a negative value, or with elements and zero.
public struct PageTotal: Sendable {
    enum Unit { case elements, pages }
    enum Source {
        case member(path: String)
        case field(HTTPHeaders.Name)
    }

    let unit: Unit
    let source: Source

    /// The number of all elements, in the whole JSON.
    public static func elements(at path: String) -> PageTotal {
        PageTotal(unit: .elements, source: .member(path: path))
    }
    /// The number of all pages, in the whole JSON.
    public static func pages(at path: String) -> PageTotal { PageTotal(unit: .pages, source: .member(path: path)) }
    /// The number of all elements, in a header field: `X-Total-Count`.
    public static func elements(in field: HTTPHeaders.Name) -> PageTotal {
        PageTotal(unit: .elements, source: .field(field))
    }
    /// The number of all pages, in a header field.
    public static func pages(in field: HTTPHeaders.Name) -> PageTotal { PageTotal(unit: .pages, source: .field(field)) }

    /// The number on a page.
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
