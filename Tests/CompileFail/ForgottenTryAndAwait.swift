import Bilayer

func fetch(_ client: Client) async throws {
    // expected-error@+4 {{call can throw but is not marked with 'try'}}
    // expected-note@+3 3{{did you mean to}}
    // expected-error@+2 {{expression is 'async' but is not marked with 'await'}}
    // expected-note@+1 {{call is 'async'}}
    _ = client.fetch(.users)
}

// expected-note@+1 {{add 'async' to function 'fetchWithoutAsync' to make it asynchronous}}
func fetchWithoutAsync(_ client: Client) throws {
    // expected-error@+1 {{'async' call in a function that does not support concurrency}}
    _ = try await client.fetch(.users)
}

struct NamedUser: DTODecodable {
    let name: String

    static func from(dto: UserEntry) throws -> NamedUser {
        // expected-error@+2 {{call can throw but is not marked with 'try'}}
        // expected-note@+1 3{{did you mean to}}
        NamedUser(name: dto.name.require("name"))
    }
}
