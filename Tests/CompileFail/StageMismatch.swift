import Bilayer
import Foundation

struct UserEntry: Codable, RawDecodable, Sendable { let name: String }

let chain = ParseJson().then(MapRaw<UserEntry>())
// expected-error@+1 {{instance method 'then' requires the types 'HTTPResponse' and 'Json' be equivalent}}
let forgottenParser = URLSessionTransport().then(MapRaw<UserEntry>())
