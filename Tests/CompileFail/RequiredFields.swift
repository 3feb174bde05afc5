import Bilayer
import Foundation

func convert(_ dto: UserEntry) throws {
    let name = try require(\.name, of: dto)
    // expected-error@+1 {{value of type 'UserEntry' has no member 'nickname'}}
    let nickname = try require(\.nickname, of: dto)
    // expected-error@+2 {{cannot convert value of type 'KeyPath<UserEntry, Int>' to expected argument type}}
    // expected-note@+1 {{arguments to generic parameter 'Value' ('Int' and 'Int?') are expected to be equal}}
    let age = try require(\UserEntry.age, of: dto)
    // expected-error@+1 {{value of type 'Int' has no member 'require'}}
    let sameAge = try dto.age.require("age")
    // expected-error@+1 {{cannot convert value of type 'String' to specified type 'URL'}}
    let url: URL = try dto.name.require("name")
    // expected-error@+1 {{cannot convert value of type 'Int' to expected argument type 'String'}}
    let text = dto.name.default(0, "name")
    // expected-error@+1 {{type 'Int' cannot be used as a boolean; test for '!= 0' instead}}
    try require(that: dto.age, "is an adult")
    _ = (name, nickname, age, sameAge, url, text)
}
