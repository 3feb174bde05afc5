import Bilayer

// expected-note@+1 {{where 'Response' = 'Photo'}}
extension Route where Response == [Photo] { static var photos: Route { .get("photos") } }

func fetch(from client: Client) async throws {
    let users: [User] = try await client.fetch(.users)
    // expected-error@+2 {{cannot assign value of type '[User]' to type '[Photo]'}}
    // expected-note@+1 {{arguments to generic parameter 'Element' ('User' and 'Photo') are expected to be equal}}
    let photos: [Photo] = try await client.fetch(.users)
    // expected-error@+2 {{value of optional type 'User?' must be unwrapped to a value of type 'User'}}
    // expected-note@+1 2{{the optional value contains 'nil'}}
    let user: User = try await client.fetch(.user(7))
    // expected-error@+1 {{static property 'photos' requires the types 'Photo' and '[Photo]' be equivalent}}
    let one = try await client.fetch(Route<Photo>.photos)
    // expected-error@+1 {{member 'user' expects argument of type 'Int'}}
    let other = try await client.fetch(.user)
    // expected-error@+1 {{cannot convert value of type 'String' to specified type 'Int'}}
    let number: Int = try await client.fetch(Route<String>.get("number"))
    // expected-error@+2 {{cannot convert value of type 'Route<String>' to expected argument type 'Route<Int>'}}
    // expected-note@+1 {{arguments to generic parameter 'Response' ('String' and 'Int') are expected to be equal}}
    let answer: Answer<Int> = try await client.send(Route<String>.get("number"))
    _ = (users, photos, user, one, other, number, answer)
}

func fetchWhatIsNotSaid(from client: Client) async throws {
    let users: [User] = try await client.fetch(.get("users"))
    // expected-error@+1 {{ambiguous use of 'get'}}
    let others = try await client.fetch(.get("users"))
    // expected-error@+1 {{ambiguous use of 'get'}}
    let route = Route.get("users")
    _ = (users, others, route)
}
