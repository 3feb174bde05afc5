/// The path of a member, and its JSON. Code that uses a default for an unreadable member requests a glance, to report
/// the member. The check of a dictionary's keys also requests one, if the dictionary's own key may have several paths.
///
/// A glance does not count as a reading of the member. ``SearchDecoder`` does not record it as a request, and
/// ignores the error of the member.
struct MemberGlance: Decodable {
    let path: JsonPath
    let json: Json?

    init(from decoder: any Decoder) throws {
        path = JsonPath(decoder.codingPath)
        json = try? decoder.singleValueContainer().decode(Json.self)
    }

    var found: MappingIssue.Found? { json?.found }
}
