import Bilayer

// expected-note@+1 2{{class 'Counter' does not conform to the 'Sendable' protocol}}
final class Counter { var count = 0 }

// expected-note@+1 3{{class 'Profile' does not conform to the 'Sendable' protocol}}
final class Profile: DTODecodable {
    var name = ""
    static func from(dto: UserEntry) throws -> Profile { Profile() }
}

extension Route where Response == Profile {
    // expected-error@+1 3{{type 'Profile' does not conform to the 'Sendable' protocol}}
    static var profile: Route { .get("profile") }
}

struct CountAnswers: PassthroughNode {
    // expected-error@+1 {{stored property 'counter' of 'Sendable'-conforming struct 'CountAnswers' has non-Sendable}}
    let counter: Counter
    func process<Value: Sendable>(_ value: Value, in context: CallContext) async throws -> Value { value }
}

func count(with client: inout Client) {
    let counter = Counter()
    var count = 0
    client.raw.append { json, _ in
        // expected-error@+1 {{capture of 'counter' with non-Sendable type 'Counter' in a '@Sendable' closure}}
        counter.count += 1
        return json
    }
    client.raw.append { json, _ in
        // expected-error@+1 {{mutation of captured var 'count' in concurrently-executing code}}
        count += 1
        return json
    }
}

@MainActor
// expected-error@+4 {{conformance of 'ScreenModel' to protocol 'DTODecodable' crosses into main actor-isolated code}}
// expected-note@+3 {{isolate this conformance to the main actor with '@MainActor'}}
// expected-note@+2 {{turn data races into runtime errors with '@preconcurrency'}}
// expected-note@+1 {{mark all declarations used in the conformance 'nonisolated'}}
struct ScreenModel: DTODecodable {
    // expected-note@+1 {{main actor-isolated static method 'from(dto:)' cannot satisfy nonisolated requirement}}
    static func from(dto: UserEntry) throws -> ScreenModel { ScreenModel() }
}

@MainActor
final class Screen {
    // expected-note@+1 {{mutation of this property is only permitted within the actor}}
    var title = ""

    func change(_ client: inout Client) {
        client.raw.append { json, _ in
            // expected-error@+2 {{main actor-isolated property 'title' can not be mutated from a Sendable closure}}
            // expected-note@+1 {{consider declaring an isolated method on 'MainActor' to perform the mutation}}
            self.title = "Users"
            return json
        }
    }
}
