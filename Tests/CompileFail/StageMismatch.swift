import Bilayer
import Foundation

struct UserEntry: Codable, RawDecodable, Sendable { let name: String }

let chain = ParseJson().then(MapRaw<UserEntry>())
let forgottenParser = URLSessionTransport().then(MapRaw<UserEntry>())  // expected-error {{instance method 'then' requires the types 'HTTPResponse' and 'Json' be equivalent}}
