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

/// Fails in a nested container, discards the error and goes on.
private struct NestedEntry: Codable {
    private enum Key: CodingKey { case userName }
    private enum Inner: CodingKey { case firstName, lastName }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let name = try container.nestedContainer(keyedBy: Inner.self, forKey: .userName)
        _ = try? name.decode(Bool.self, forKey: .firstName)
    }

    func encode(to encoder: any Encoder) throws {}
}

/// The same through a super decoder, which reads another key afterwards.
private struct SuperEntry: Codable {
    private enum Key: CodingKey { case userName }
    private enum Inner: CodingKey { case firstName, lastName }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let name = try container.superDecoder(forKey: .userName).container(keyedBy: Inner.self)
        _ = try? name.decode(Bool.self, forKey: .firstName)
        _ = try name.decodeIfPresent(Json.self, forKey: .lastName)
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

    private static let texts = [
        #"{"ownParts":{"userName":{"firstName":1,"lastName":2,"title":3},"other":{"lastName":1,"title":2}}}"#,
        #"{"ownParts":{"other":{"firstName":1},"userName":{"firstName":"x","lastName":"y","title":3}}}"#,
        #"{"ownParts":{"userName":{"lastName":2,"title":3}}}"#,
        #"{"ownParts":{"userName":null,"other":{"lastName":"z","title":3}}}"#,
    ]

    /// A naming only changes the names: whatever reads an object, its unknown keys are those that are found without a
    /// naming in the JSON with the properties' names.
    @Test("the unknown keys are those without a naming", arguments: Self.texts)
    func asWithoutNaming(camel: String) throws {
        var snake = camel
        for (name, key) in [
            ("ownParts", "own_parts"), ("userName", "user_name"), ("firstName", "first_name"),
            ("lastName", "last_name"),
        ] { snake = snake.replacing(name, with: key) }
        func expectSame<First: Codable & Sendable, Second: Codable & Sendable>(_: First.Type, _: Second.Type) throws {
            for policy in Self.policies {
                let plain = try lines(TwiceEntry<First, Second>.self, camel, policy, CodingConventions())
                let named = try lines(TwiceEntry<First, Second>.self, snake, policy, .snakeCaseAndRFC3339)
                #expect(named == plain, "\(First.self), \(Second.self), \(policy)")
            }
        }
        func expectSameInBothOrders<First: Codable & Sendable, Second: Codable & Sendable>(
            _ first: First.Type,
            _ second: Second.Type
        ) throws {
            try expectSame(first, second)
            try expectSame(second, first)
        }
        try expectSameInBothOrders(NestedEntry.self, [String: RestEntry].self)
        try expectSameInBothOrders(NestedEntry.self, Lossy<[String: RestEntry]>.self)
        try expectSameInBothOrders(NestedEntry.self, ProfileEntry?.self)
        try expectSameInBothOrders(SuperEntry.self, [String: RestEntry].self)
        try expectSameInBothOrders(SuperEntry.self, Lossy<[String: RestEntry]>.self)
        try expectSameInBothOrders(SuperEntry.self, NestedEntry.self)
        try expectSameInBothOrders(ProfileEntry.self, Lossy<[String: RestEntry]>.self)
        try expectSameInBothOrders(Lossy<[String: NameEntry]>.self, Lossy<[String: RestEntry]>.self)
        try expectSameInBothOrders(Either<ProfileEntry, [String: RestEntry]>.self, Lossy<[String: RestEntry]>.self)
        try expectSameInBothOrders(Either<[String: NameEntry], NestedEntry>.self, [String: RestEntry?].self)
    }

    /// The kinds and the places of all issues, sorted. The places have keys in snake case.
    private func lines<Entry: RawDecodable>(
        _ type: Entry.Type,
        _ text: String,
        _ policy: MappingPolicy,
        _ conventions: CodingConventions
    ) throws -> [String] where Entry.Raw == Json {
        let raw = try Json.of(text)
        return mapping(policy, conventions) { try Entry.from(raw: raw) }.issues
            .map { issue in
                let keys = issue.path.exactDescription.map { $0.isUppercase ? "_\($0.lowercased())" : "\($0)" }
                return "\(issue.kind) \(keys.joined())"
            }
            .sorted()
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
