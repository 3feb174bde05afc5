import Bilayer
import BilayerTesting
import Foundation

// A GraphQL call that returns an error beside its data, and a migration.
extension Tour {
    func graphQL() async throws {
        try begin(
            10,
            "GraphQL, through the same stages",
            "client.fetch(Route.graphUser(7).keepingErrors())  // GraphQLResponse<User>"
        )
        let answer = try await client.fetch(Route.graphUser(7).keepingErrors())
        try check(answer.value.name == "Ada", "the same model, from another server")
        tell("errors", answer.errors.map(\.description).joined(separator: ", "))
        try check(
            answer.reason(at: "user.photos[1].ref")?.code == "NOT_STORED",
            "why a field has no value: reason(at: \"user.photos[1].ref\")"
        )
    }

    /// The old server provides the result, the new server is called as well, and the two models are compared.
    func migration() async throws {
        try begin(
            11,
            "From the old server to the new one, in shadow mode",
            "Migrator(old: rest, new: graph, mode: .shadow(share: 1)).fetch(.user)  // User"
        )
        // Uses a client without narration, because both calls run at the same time and their output would mix.
        let quiet = Client(baseURL: server.url)
        let migrator = Migrator(
            old: quiet,
            new: quiet,
            mode: .shadow(share: 1),
            differences: DifferenceReporter { report in tell("report", "\(report)") }
        )
        let user = try await migrator.fetch(.user)
        try await migrator.waitForShadows()
        let tally = migrator.tally(of: "User")
        try check(user.name == "Ada" && tally.agreed == 1, "both servers made the same user")
        _ = try await migrator.fetch(.user)
        try await migrator.waitForShadows()
        try check(migrator.tally(of: "User").differed == 1, "a difference is reported by its path, not by its values")
    }
}

extension Migration where Model == User {
    static var user: Migration {
        Migration(from: Route<User>.get("users/7"), to: Route.graphUser(7).with(option: GraphQLErrorPolicy.ignore))
    }
}

/// A query in the form that a code generator would write.
struct UserOperation: GraphQLOperation {
    static let document = "query User($id: ID!) { user(id: $id) { name role photos { id ref } } }"
    struct Variables: Codable, RawMappable { let id: Int }
    struct Data: Codable, RawMappable { let user: UserFragment? }
    let variables: Variables
}

/// The user as the GraphQL server sends it: with other names, and null wherever the server reports an error.
struct UserFragment: Codable, RawMappable {
    let name: String
    let role: String
    let photos: [PhotoFragment]

    struct PhotoFragment: Codable {
        let id: String
        let ref: String?
    }
}

extension User {
    /// Makes the model that `from(dto:)` makes, but from the fragment of the GraphQL server.
    static func from(fragment: UserFragment) throws -> User {
        let stored = fragment.photos.compactMap { photo in photo.ref.map { PhotoEntry(id: photo.id, ref: $0) } }
        return try User(
            name: fragment.name,
            isOwner: fragment.role == "OWNER",
            photos: .from(dto: stored, at: "photos")
        )
    }
}

extension Route where Response == User {
    static func graphUser(_ id: Int) -> Route {
        .graphQL(UserOperation(variables: .init(id: id))) { data in
            try data.user.require("user") { try User.from(fragment: $0) }
        }
    }
}
