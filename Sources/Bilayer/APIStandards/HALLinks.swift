/// The links of a HAL resource, `_links`, by relation.
///
/// Read the links as the envelope of the embedded resources:
///
/// ```swift
/// extension Route where Response == Enveloped<[User], HALLinks> {
///     static var linkedUsers: Route { Route<[User]>.get("users").at("_embedded.users", in: HALLinks.self) }
/// }
/// let found = try await client.fetch(.linkedUsers)
/// print(found.envelope["next"]?.href ?? "the last page")
/// ```
/// To read all pages, use ``PageStrategy/link(at:allowing:)`` with the path `_links.next.href`.
public struct HALLinks: Sendable, Hashable, RawDecodable {
    /// A link.
    public struct Link: Sendable, Hashable {
        /// The address, or the URI template of the address.
        public let href: String
        /// Whether ``href`` is a template (RFC 6570).
        public let isTemplate: Bool
        /// The title for people, if the link has one.
        public let title: String?
        /// The name that distinguishes links of the same relation.
        public let name: String?
    }

    /// The links of each relation, in the server's order.
    public let links: [String: [Link]]

    /// Returns the first link of a relation; `nil` if the relation has no links.
    public subscript(relation: String) -> Link? { links[relation]?.first }

    /// Reads the links. A resource without `_links` has no links.
    /// - Throws: ``MappingError`` if the value, `_links` or a link is not an object, or if a link has no string `href`.
    public static func from(raw: Json) throws -> HALLinks {
        try raw.requireObject()
        guard let member = raw["_links"], !member.isNull else { return HALLinks(links: [:]) }
        return try locating(at: .key("_links"), owner: "HALLinks") {
            try member.requireObject()
            var links: [String: [Link]] = [:]
            for (relation, value) in member.effectiveMembers {
                links[relation] = try locating(at: .entry(relation)) { try read(value) }
            }
            return HALLinks(links: links)
        }
    }

    private static func read(_ value: Json) throws -> [Link] {
        guard value.kind == .array else { return [try link(value)] }
        return try value.elements.enumerated()
            .map { index, element in
                try locating(at: .index(index)) { try link(element) }
            }
    }

    private static func link(_ value: Json) throws -> Link {
        try value.requireObject()
        return Link(
            href: try value.decode("href"),
            isTemplate: value["templated"]?.bool ?? false,
            title: value["title"]?.string,
            name: value["name"]?.string
        )
    }
}

extension HALLinks: Redacted {}
extension HALLinks.Link: Redacted {}
