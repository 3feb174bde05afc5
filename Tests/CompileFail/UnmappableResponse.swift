import Bilayer
import Foundation

struct Unrelated: Sendable {}

extension Route where Response == Unrelated {
    // expected-error@+1 {{'get' is unavailable: Response must be a model (DTODecodable, its DTO RawDecodable), an entry}}
    static var unrelated: Route { .get("unrelated") }
}
