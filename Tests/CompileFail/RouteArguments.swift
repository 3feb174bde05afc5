import Bilayer
import Foundation

extension Route where Response == User {
    static func byName(_ id: Int) -> Route { .get("users/{id}", ["id": id]) }

    // expected-error@+1 {{cannot convert value of type 'Int' to expected argument type 'PathArguments'}}
    static func byPosition(_ id: Int) -> Route { .get("users/{id}", id) }

    // expected-error@+2 {{extraneous argument label 'id:' in call}}
    // expected-error@+1 {{cannot convert value of type 'Int' to expected argument type 'PathArguments'}}
    static func byLabel(_ id: Int) -> Route { .get("users/{id}", id: id) }

    // expected-error@+1 {{cannot convert value of type 'Int?' to expected dictionary value type 'any RouteArgument'}}
    static func byOptional(_ id: Int?) -> Route { .get("users/{id}", ["id": id]) }

    // expected-error@+1 {{cannot convert value of type 'Date' to expected dictionary value type 'any RouteArgument'}}
    static func byDate(_ day: Date) -> Route { .get("users/{day}", ["day": day]) }

    // expected-error@+1 {{cannot convert value of type '[String : Int]' to expected argument type 'PathArguments'}}
    static func byDictionary(_ arguments: [String: Int]) -> Route { .get("users/{id}", arguments) }

    // expected-error@+1 {{cannot convert value of type 'Date' to expected dictionary value type '(any QueryValue)?'}}
    static func since(_ day: Date) -> Route { .get("users", query: ["since": day]) }

    // expected-error@+1 {{cannot convert value of type 'URL' to expected argument type 'String'}}
    static func at(_ url: URL) -> Route { .get(url) }
}
