import Bilayer
import Foundation

let chain = ParseJson().then(MapRaw<UserEntry>()).then(ConvertDTO<User>())
// expected-error@+1 {{instance method 'then' requires the types 'HTTPResponse' and 'Json' be equivalent}}
let forgottenParser = URLSessionTransport().then(MapRaw<UserEntry>())
// expected-error@+1 {{instance method 'then' requires the types 'Json' and 'UserEntry' be equivalent}}
let forgottenMapping = ParseJson().then(ConvertDTO<User>())
// expected-error@+1 {{instance method 'then' requires the types 'User' and 'Json' be equivalent}}
let swapped = ConvertDTO<User>().then(MapRaw<UserEntry>())
// expected-error@+1 {{instance method 'then' requires the types 'UserEntry' and 'PhotoEntry' be equivalent}}
let otherModel = ParseJson().then(MapRaw<UserEntry>()).then(ConvertDTO<Photo>())
// expected-error@+1 {{instance method 'then' requires the types 'UserEntry' and '[UserEntry]' be equivalent}}
let oneToMany = ParseJson().then(MapRaw<UserEntry>()).then(ConvertDTO<[User]>())
// expected-error@+1 {{type 'User' does not conform to protocol 'RawDecodable'}}
let mappedModel = ParseJson().then(MapRaw<User>())
// expected-error@+1 {{type 'UserEntry' does not conform to protocol 'DTODecodable'}}
let convertedEntry = ParseJson().then(ConvertDTO<UserEntry>())

func replace(in client: Client) {
    let pipeline = client.pipeline(for: .users)
    // expected-error@+1 {{instance method 'replacing(transport:)' requires the types 'HTTPRequest' and 'HTTPResponse'}}
    _ = pipeline.replacing(transport: AddHeader())
    // expected-error@+1 {{instance method 'replacing(transport:)' requires the types 'Data' and 'HTTPResponse' be}}
    _ = pipeline.replacing(transport: AnyNode { _, _ in Data() })
    // expected-error@+1 {{instance method 'replacing(rawMapping:)' requires the types '[UserEntry]' and 'Json' be}}
    _ = pipeline.replacing(rawMapping: ParseJson())
    // expected-error@+1 {{requires the types '[UserEntry]' and '[PhotoEntry]' be equivalent}}
    _ = pipeline.replacing(dtoConversion: ConvertDTO<[Photo]>())
    // expected-error@+1 {{requires the types 'User' and 'UserEntry' be equivalent}}
    _ = Route<User>(Endpoint(.get, "user"), rawMapping: ParseJson().then(MapRaw<UserEntry>()))
}
