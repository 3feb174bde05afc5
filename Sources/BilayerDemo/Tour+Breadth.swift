import Bilayer
import BilayerTesting
import Foundation

// Calls for more than a single JSON value: streams, pages, forms and files.
extension Tour {
    func stream() async throws {
        try begin(
            6,
            "Elements while they arrive",
            "client.stream(Route<User>.get(\"arrivals\"), as: .serverSentEvents)"
        )
        var names: [String] = []
        for try await user in client.stream(Route<User>.get("arrivals"), as: .serverSentEvents) {
            names.append(user.name)
        }
        try check(names == ["Ada", "Grace"], "each event is a model as soon as it is there")
    }

    func pages() async throws {
        try begin(
            7,
            "Pages as one sequence",
            "client.pages(of: .members, by: .cursor(at: \"next\", as: \"after\")).elements"
        )
        var names: [String] = []
        let strategy = PageStrategy.cursor(at: "next", as: "after")
        for try await user in client.pages(of: .members, by: strategy).elements { names.append(user.name) }
        try check(names == ["Ada", "Grace"], "two pages, one loop")
    }

    func form() async throws {
        try begin(8, "A form", "Route<Json>.post(\"sign-up\", body: .form(SignUp(name: \"Ada & Co\", age: 36)))")
        _ = try await client.fetch(Route<Json>.post("sign-up", body: .form(SignUp(name: "Ada & Co", age: 36))))
        try check(server.requests.last?.bodyText == "name=Ada+%26+Co&age=36", "written as a browser would")
    }

    func files() async throws {
        try begin(
            9,
            "A file up and down, with progress",
            "client.upload(…), client.download(.get(\"film\"), to: place)"
        )
        let quiet = Client(baseURL: server.url)
        let film = Data(repeating: 7, count: 3_000_000)
        var bar = ProgressBar(label: "up")
        for try await event in quiet.upload(Route<Void>.put("film", body: film)) {
            if case .progress(let progress) = event { bar.show(progress) }
        }
        bar.end()
        let place = FileManager.default.temporaryDirectory.appending(path: "film-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: place) }
        bar = ProgressBar(label: "down")
        for try await event in quiet.download(.get("film"), to: place) {
            if case .progress(let progress) = event { bar.show(progress) }
        }
        bar.end()
        try check(try Data(contentsOf: place) == film, "the file is there, whole")
    }
}

/// A request body that is sent as a form.
struct SignUp: Codable, RawMappable {
    let name: String
    let age: Int
}

extension Route where Response == [User] {
    static var members: Route { .get("members").at("members") }
}
