/// The path of a member, and what is found there, for a report about a member for which its reader has a default.
///
/// A glance is no reading of the member: ``CollectingDecoder`` takes neither the glance nor an error of the member for
/// a part of what the type reads.
struct MemberGlance: Decodable {
    let path: JsonPath
    let found: MappingIssue.Found?

    init(from decoder: any Decoder) throws {
        path = JsonPath(decoder.codingPath)
        found = (try? decoder.singleValueContainer().decode(Json.self))?.found
    }
}
