import Bilayer

@MainActor
final class UserList {
    // expected-note@+1 {{mutation of this property is only permitted within the actor}}
    var count = 0

    func load(from client: Client) {
        client.fetch(.users) { @MainActor result in self.count = (try? result.get().count) ?? 0 }
        // expected-error@+1 {{main actor-isolated property 'count' can not be mutated from a nonisolated context}}
        client.fetch(.users) { result in self.count = (try? result.get().count) ?? 0 }
        // expected-error@+1 {{value of type 'Result<[User], any Error>' has no member 'count'}}
        client.fetch(.users) { @MainActor users in self.count = users.count }
        // expected-error@+1 {{expects 1 argument, but 2 were used in closure body}}
        client.fetch(.users) { @MainActor users, error in self.count = 0 }
    }
}
