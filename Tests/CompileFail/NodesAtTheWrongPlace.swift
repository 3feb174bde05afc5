import Bilayer
import Foundation

func add(to client: inout Client) {
    client.request.append(AddHeader())
    // expected-error@+1 {{instance method 'append' requires the types 'Json' and 'HTTPRequest' be equivalent}}
    client.raw.append(AddHeader())
    // expected-error@+1 {{instance method 'append' requires that 'AddHeader' conform to 'PassthroughNode'}}
    client.entry.append(AddHeader())
    // expected-error@+2 {{value of optional type 'Json?' must be unwrapped to a value of type 'Json'}}
    // expected-note@+1 2{{the optional value contains 'nil'}}
    client.raw.append { json, _ in json["data"] }
    // expected-error@+1 {{expects 2 arguments, but 1 was used in closure body}}
    client.raw.append { json in json["data"] ?? json }
    // expected-error@+4 {{cannot conform to 'PassthroughNode'}}
    // expected-note@+3 {{only concrete types such as structs, enums and classes can conform to protocols}}
    // expected-error@+2 {{cannot infer type of closure parameter 'model' without a type annotation}}
    // expected-error@+1 {{cannot infer type of closure parameter '_' without a type annotation}}
    client.model.append { model, _ in model }
}

func addANodeForJsonToTheRequest(of client: inout Client) {
    // expected-error@+5 {{cannot conform to 'Node'}}
    // expected-note@+4 {{only concrete types such as structs, enums and classes can conform to protocols}}
    // expected-error@+3 2{{instance method 'append' requires the types}}
    // expected-error@+2 {{cannot infer type of closure parameter 'json' without a type annotation}}
    // expected-error@+1 {{cannot infer type of closure parameter '_' without a type annotation}}
    client.request.append { json, _ in json["data"] ?? json }
}

func addToOneRoute() {
    // expected-error@+1 {{instance method 'adding(model:)' requires the types 'Array<User>' and 'User' be equivalent}}
    _ = Route.users.adding(model: AnyNode { (user: User, _) in user })
    // expected-error@+1 {{instance method 'adding(entry:)' requires the types '[UserEntry]' and '[User]'}}
    _ = Route.users.adding(entry: AnyNode { (users: [User], _) in users })
    // expected-error@+3 {{cannot conform to 'Node'}}
    // expected-note@+2 {{only concrete types such as structs, enums and classes can conform to protocols}}
    // expected-error@+1 2{{instance method 'adding(raw:)' requires the types}}
    _ = Route.users.adding(raw: { (json: Json, _: CallContext) in json })
}

func wrap(_ client: inout Client) {
    client.transport = AnyNode(client.transport.wrapped(by: Stopwatch()))
    // expected-error@+1 {{cannot assign value of type}}
    client.transport = client.transport.wrapped(by: Stopwatch())
    // expected-error@+1 {{cannot assign value of type 'URLSessionTransport' to type 'AnyNode<}}
    client.transport = URLSessionTransport()
    // expected-error@+1 {{instance method 'wrapped(by:)' requires that 'AddHeader' conform to 'Middleware'}}
    _ = client.transport.wrapped(by: AddHeader())
    // expected-error@+2 {{requires the types 'HTTPResponse' and 'Json' be equivalent}}
    // expected-error@+1 {{requires the types 'HTTPRequest' and 'Json' be equivalent}}
    _ = client.transport.wrapped(by: Stopwatch<Json, Json>())
    // expected-error@+1 {{instance method 'append' requires that 'Stopwatch<HTTPRequest, HTTPRequest>' conform}}
    client.request.append(Stopwatch<HTTPRequest, HTTPRequest>())
}
