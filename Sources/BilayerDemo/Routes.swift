import Bilayer

// The endpoints of the server. Each is bound to its response type, so another type does not compile.

extension Route where Response == [User] {
    static var users: Route { .get("users") }

    /// An endpoint whose response has an envelope: `{"data": [...]}`. A node removes it, for this route only.
    static var team: Route {
        .get("team").adding(raw: AnyNode(named: "TakeOffEnvelope") { json, _ in json["data"] ?? json })
    }
}

extension Route where Response == User? {
    static func user(_ id: Int) -> Route { .get("users/{id}", ["id": id]) }
}

extension Route where Response == Photo {
    static func add(_ photo: Photo, to user: Int) -> Route { .post("users/{id}/photos", ["id": user], body: photo) }
}
