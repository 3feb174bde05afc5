import Bilayer
import BilayerTesting
import Foundation
import Testing

// Runs the code that the guides show as before and after. Both give equal results, or the difference that the guide
// states.

private struct PersonEntry: Codable, RawMappable, Sendable, Equatable {
    let name: String?
    let born: String?
}

private let adaText = #"{"name":"Ada","born":"1815-12-10"}"#
private let namelessText = #"{"name":null,"born":"1815-12-10"}"#

private func client(_ texts: String...) -> (Client, StubTransport) {
    let stub = StubTransport { request, _ in
        let answer = request.url.path().hasSuffix("nobody") ? texts[texts.count - 1] : texts[0]
        return HTTPResponse(status: 200, headers: [.contentType: "application/json"], body: Data(answer.utf8))
    }
    guard let url = URL(string: "https://api.example.com") else { preconditionFailure() }
    return (Client(baseURL: url, transport: stub), stub)
}

// MARK: NodeKit

private protocol OldRawDecodable {
    static func from(raw: [String: Any]) throws -> Self
}

private protocol OldDTODecodable {
    associatedtype DTO: OldRawDecodable
    static func from(dto: DTO) throws -> Self
}

private struct OldEntry: OldRawDecodable {
    let name: String
    static func from(raw: [String: Any]) throws -> OldEntry { OldEntry(name: raw["name"] as? String ?? "") }
}

private struct OldPerson: OldDTODecodable {
    let name: String
    static func from(dto: OldEntry) throws -> OldPerson { OldPerson(name: dto.name) }
}

private struct OldChain {
    let answer: String

    func process<Model: OldDTODecodable>(_ path: String) async -> Result<Model, any Error> {
        Result {
            let object = try JSONSerialization.jsonObject(with: Data(answer.utf8))
            return try .from(dto: .from(raw: object as? [String: Any] ?? [:]))
        }
    }
}

private struct Person: DTODecodable, Sendable, Equatable {
    let name: String
    let born: Date?

    static func from(dto: PersonEntry) throws -> Person {
        try Person(name: dto.name.require("name"), born: dto.born.map { try $0.parsed(as: .dateOnly, "born") })
    }
}

extension Route where Response == Person {
    fileprivate static func person(_ id: String) -> Route { .get("users/{id}", ["id": id]) }
}

// MARK: Moya

private enum PersonTarget {
    case person(id: Int)
    case search(text: String)

    var path: String {
        switch self {
        case .person(let id): "users/\(id)"
        case .search: "users"
        }
    }

    var parameters: [String: String] {
        switch self {
        case .person: [:]
        case .search(let text): ["q": text]
        }
    }
}

private enum PersonRequest: RouteProviding {
    case person(id: Int)
    case search(text: String)

    var route: Route<Json> {
        switch self {
        case .person(let id): .get("users/{id}", ["id": id])
        case .search(let text): .get("users", query: ["q": text])
        }
    }
}

// MARK: Apollo, init(dto:)

private struct PersonSelection: Sendable {
    var name: String?
}

private func title(_ selection: PersonSelection?) -> String { selection?.name ?? "unknown" }

private struct Profile: DTODecodable, Sendable {
    let name: String
    static func from(dto: PersonSelection) throws -> Profile { Profile(name: dto.name.default("unknown", "name")) }
}

private struct OptionalPerson {
    let name: String
    let born: Date?

    init?(dto: PersonEntry) {
        guard let name = dto.name else { return nil }
        self.name = name
        born = dto.born.flatMap { try? Date($0, strategy: .iso8601.year().month().day()) }
    }
}

@Suite("The guides, before and after")
struct GuidesTests {
    @Test func fromNodeKit() async throws {
        let before: Result<OldPerson, any Error> = await OldChain(answer: adaText).process("users/7")
        let (client, _) = client(adaText, namelessText)
        #expect(try await client.fetch(.person("7")).name == before.get().name)

        // Before: an invented value. After: the field by its path.
        let invented: Result<OldPerson, any Error> = await OldChain(answer: namelessText).process("users/nobody")
        #expect(try invented.get().name == "")
        let error = await #expect(throws: CallError.self) { try await client.fetch(.person("nobody")) }
        #expect(error?.issues.map(\.path.description) == ["$.name"])
    }

    @Test func fromAlamofireWithCodable() async throws {
        let before = try JSONDecoder().decode(PersonEntry.self, from: Data(adaText.utf8))
        let (client, stub) = client(adaText)
        #expect(try await client.fetch(Route<PersonEntry>.get("users/7")) == before)
        #expect(stub.requests.map(\.url.absoluteString) == ["https://api.example.com/users/7"])
    }

    @Test(arguments: [
        (PersonTarget.person(id: 7), PersonRequest.person(id: 7)), (.search(text: "a b"), .search(text: "a b")),
    ])
    private func fromMoya(target: PersonTarget, request: PersonRequest) async throws {
        let (client, stub) = client("{}")
        _ = try await client.fetch(request)
        var before = URLComponents(string: "https://api.example.com/\(target.path)")
        if !target.parameters.isEmpty {
            before?.queryItems = target.parameters.map { URLQueryItem(name: $0.key, value: $0.value) }
        }
        #expect(stub.requests.first?.url == before?.url)
    }

    @Test(arguments: ["Ada", nil])
    func fromApolloAlone(name: String?) throws {
        let selection = PersonSelection(name: name)
        let reporter = CollectingReporter()
        #expect(try Profile.from(dto: selection, reporter: reporter).name == title(selection))
        #expect(reporter.issues.count == (name == nil ? 1 : 0))
    }

    @Test func fromAHandWrittenInitializer() throws {
        let ada = PersonEntry(name: "Ada", born: "1815-12-10")
        let before = try #require(OptionalPerson(dto: ada))
        let after = try Person.from(dto: ada)
        #expect(after.name == before.name)
        #expect(after.born == before.born)

        // Before: nothing, without a reason. After: the field and the rule.
        #expect(OptionalPerson(dto: PersonEntry(name: nil, born: nil)) == nil)
        let error = #expect(throws: MappingError.self) { try Person.from(dto: PersonEntry(name: nil, born: nil)) }
        #expect(error?.issues.map(\.path.description) == ["$.name"])
    }
}
