/// The envelope of an OData 4 list: the total and the address of the next page. The list itself is the member `value`.
///
/// ```swift
/// extension Route where Response == Enveloped<[User], ODataPage> {
///     static var users: Route { Route<[User]>.get("Users", query: ["$count": true]).at("value", in: ODataPage.self) }
/// }
/// ```
/// To read all pages, use ``PageStrategy/link(at:allowing:)`` with the path `["@odata.nextLink"]`.
public struct ODataPage: Sendable, Hashable, RawDecodable {
    /// The number of all elements, if the request contains `$count`.
    public let count: Int?
    /// The address of the next page; `nil` on the last page.
    public let nextLink: String?

    /// Reads the total and the address. The prefix `odata.` of their keys is optional, as in OData 4.01.
    /// - Throws: ``MappingError`` if the value is not an object, or if a member has another type. Under a policy such
    ///   as ``MappingPolicy/salvaging``, such a member is `nil` instead.
    public static func from(raw: Json) throws -> ODataPage {
        try raw.requireObject()
        return ODataPage(
            count: try read("count", in: raw),
            nextLink: try read("nextLink", in: raw)
        )
    }

    private static func read<Value: RawDecodable>(_ name: String, in raw: Json) throws -> Value?
    where Value.Raw == Json {
        try raw.decodeIfPresent(raw["@odata.\(name)"] == nil ? "@\(name)" : "@odata.\(name)")
    }
}

extension ODataPage: Redacted {
    /// Whether the page is the last one: `ODataPage(last page)`.
    public var description: String { "ODataPage(\(nextLink == nil ? "last page" : "has a next page"))" }
}
