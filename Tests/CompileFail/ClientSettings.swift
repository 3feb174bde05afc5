import Bilayer
import Foundation

// expected-error@+1 {{cannot convert value of type 'String' to expected argument type 'URL'}}
let textAddress = Client(baseURL: "https://api.example.com")
// expected-error@+2 {{value of optional type 'URL?' must be unwrapped to a value of type 'URL'}}
// expected-note@+1 2{{the optional value contains 'nil'}}
let optionalAddress = Client(baseURL: URL(string: "https://api.example.com"))
// expected-error@+1 {{requires the types 'HTTPRequest' and 'HTTPResponse' be equivalent}}
let noTransport = Client(baseURL: URL(fileURLWithPath: "/"), transport: AddHeader())

func configure(_ client: inout Client) {
    // expected-error@+1 {{cannot assign value of type 'Int' to type 'Duration'}}
    client.timeout = 20
    // expected-error@+1 {{type 'MappingPolicy' has no member 'lenient'}}
    client.mappingPolicy = .lenient
    // expected-error@+1 {{to type '(any MappingReporter)?'}}
    client.reporter = { (report: MappingReport) in print(report) }
}
