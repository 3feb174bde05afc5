import Bilayer
import Foundation
import Testing

private struct NameEntry: Codable { var firstName: Int }
private struct RestEntry: Codable { var lastName: Int }
private struct ProfileEntry: Codable { var userName: NameEntry }
private enum PartKey: CodingKey { case ownParts }

/// Reads a member as one type and then as another.
private struct TwiceEntry<First: Codable & Sendable, Second: Codable & Sendable>: Codable, RawMappable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: PartKey.self)
        _ = try container.decode(First.self, forKey: .ownParts)
        _ = try container.decode(Second.self, forKey: .ownParts)
    }

    func encode(to encoder: any Encoder) throws {}
}

/// A property name and a dictionary's key can lead to the same object. The keys of both types that read it are known.
@Suite("Under a naming, an object that is read as a property and as a member of a dictionary is one object")
struct NamedObjectsTests {
    private static let policies: [MappingPolicy] = {
        var reporting = MappingPolicy.standard
        reporting.unknownKeys = .report
        var collecting = MappingPolicy.strict
        collecting.collectsAll = true
        return [.strict, collecting, reporting]
    }()

    private func unknownKeys<Entry: RawDecodable>(_ type: Entry.Type, in text: String) throws -> Set<[String]>
    where Entry.Raw == Json {
        let raw = try Json.of(text)
        return Set(
            Self.policies.map { policy in
                mapping(policy, .snakeCaseAndRFC3339) { try Entry.from(raw: raw) }.issues
                    .map { "\($0.kind) \($0.path.exactDescription)" }
            }
        )
    }

    @Test("its keys are known if one of the two reads them")
    func known() throws {
        let text = #"{"own_parts":{"user_name":{"first_name":1,"last_name":2}}}"#
        #expect(try unknownKeys(TwiceEntry<ProfileEntry, [String: RestEntry]>.self, in: text) == [[]])
        #expect(try unknownKeys(TwiceEntry<[String: RestEntry], ProfileEntry>.self, in: text) == [[]])
    }

    @Test("the others are unknown, once")
    func unknown() throws {
        let text = #"{"own_parts":{"user_name":{"first_name":1,"last_name":2,"title":3}}}"#
        let one = ["unknown key $.own_parts.user_name.title"]
        #expect(try unknownKeys(TwiceEntry<ProfileEntry, [String: RestEntry]>.self, in: text) == [one])
        #expect(try unknownKeys(TwiceEntry<[String: RestEntry], ProfileEntry>.self, in: text) == [one])
    }

    @Test("a member that a lossy dictionary leaves out hides none of its unknown keys")
    func leftOut() throws {
        let text = #"{"own_parts":{"user_name":{"first_name":1,"last_name":"x","title":3},"other":{"last_name":1}}}"#
        let raw = try Json.of(text)
        var reporting = MappingPolicy.standard
        reporting.unknownKeys = .report
        let read = mapping(reporting, .snakeCaseAndRFC3339) {
            try TwiceEntry<ProfileEntry, Lossy<[String: RestEntry]>>.from(raw: raw)
        }
        let unknown = read.issues.filter { $0.kind == .unknownKey }.map(\.path.exactDescription)
        #expect(unknown.sorted() == ["$.own_parts.user_name.last_name", "$.own_parts.user_name.title"])
        #expect(read.issues.contains { $0.kind == .dropped })
    }

    @Test("a dictionary's key that looks like a property's name is another member")
    func otherMember() throws {
        let name = #"{"first_name":1,"last_name":2}"#
        let raw = try Json.of(#"{"own_parts":{"user_name":\#(name),"userName":\#(name)}}"#)
        let read = mapping(.strict, .snakeCaseAndRFC3339) {
            try TwiceEntry<[String: RestEntry], ProfileEntry>.from(raw: raw)
        }
        #expect(read.lines.contains("error unknown key $.own_parts.userName.first_name"), "\(read.lines)")
    }
}
