import Bilayer
import Foundation

struct Unrelated: Sendable {}

extension Route where Response == Unrelated {
    static var unrelated: Route { .get("unrelated") }  // expected-error {{'get' is unavailable: Response must be a model (DTODecodable, its DTO RawDecodable), an entry (RawDecodable), Json, Data, String or Void; for any other type use Route(_:rawMapping:)}}
}
