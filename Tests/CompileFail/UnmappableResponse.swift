import Bilayer
import Foundation

struct Unrelated: Sendable {}

extension Route where Response == Unrelated {
    static var unrelated: Route { .get("unrelated") }  // expected-error {{}}
}
