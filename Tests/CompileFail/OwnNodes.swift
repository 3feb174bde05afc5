import Bilayer

// expected-error@+2 {{type 'WithoutContext' does not conform to protocol 'Node'}}
// expected-note@+1 {{add stubs for conformance}}
struct WithoutContext: Node {
    func process(_ request: HTTPRequest) async throws -> HTTPRequest { request }
}

// expected-error@+2 {{type 'BoxedNext' does not conform to protocol 'Middleware'}}
// expected-note@+1 {{add stubs for conformance}}
struct BoxedNext: Middleware {
    func intercept(_ json: Json, in context: CallContext, next: any Node<Json, Json>) async throws -> Json { json }
}

// expected-error@+2 {{type 'UsersOnly' does not conform to protocol 'PassthroughNode'}}
// expected-note@+1 {{add stubs for conformance}}
struct UsersOnly: PassthroughNode {
    // expected-note@+1 {{candidate has non-matching type '([User], CallContext) async throws -> [User]'}}
    func process(_ users: [User], in context: CallContext) async throws -> [User] { users }
}

// expected-error@+2 {{type 'IssueReporter' does not conform to protocol 'MappingReporter'}}
// expected-note@+1 {{add stubs for conformance}}
struct IssueReporter: MappingReporter {
    // expected-note@+1 {{candidate has non-matching type '(MappingIssue) -> ()'}}
    func report(_ issue: MappingIssue) {}
}
