import Foundation

/// The bodies that several suites share: two generated bodies, and the well-known public files if a folder with them
/// was given.
struct Corpora {
    let users = Corpus<[UserEntry]>(name: "users", body: UserBodies.list(of: 1_000))
    let tiny = Corpus<UserEntry>(name: "tiny", body: UserBodies.single())
    private let files: [any AnyCorpus]

    /// - Throws: `UsageError` if one of the public files cannot be read.
    init(folder: String?) throws {
        guard let folder else {
            files = []
            return
        }
        files = [
            Corpus<TwitterSearch>(name: "twitter", body: try Self.read("twitter.json", in: folder)),
            Corpus<EventCatalogue>(name: "citm_catalog", body: try Self.read("citm_catalog.json", in: folder)),
            Corpus<FeatureCollection>(name: "canada", body: try Self.read("canada.json", in: folder)),
        ]
    }

    var all: [any AnyCorpus] {
        files + [users, tiny]
    }

    private static func read(_ file: String, in folder: String) throws -> Data {
        let url = URL(fileURLWithPath: folder, isDirectory: true).appendingPathComponent(file)
        do {
            return try Data(contentsOf: url)
        } catch {
            throw UsageError("--corpora: \(url.path) cannot be read")
        }
    }
}
