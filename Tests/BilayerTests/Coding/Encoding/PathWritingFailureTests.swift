import Bilayer
import Foundation
import Testing

/// Members at paths through nested objects. Writing `city` and `street` may fail, and other members use the same
/// objects.
private struct Place: Encodable {
    var city: Double?
    var zip: String?
    var street: Double?
    var address: String?

    enum CodingKeys: String, PathCodingKey {
        case city, zip, street, address

        static let paths: [CodingKeys: [String]] = [
            .city: ["address.area.city"], .zip: ["address.area.zip"], .street: ["address.street"],
        ]
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        if let city { try? container.encode(city, forKey: .city) }
        if let zip { try container.encode(zip, forKey: .zip) }
        if let street { try? container.encode(street, forKey: .street) }
        if let address { try container.encode(address, forKey: .address) }
    }
}

@Suite("Keys with paths, after an error that was caught", .smallStack)
struct PathWritingFailureTests {
    @Test(
        "nothing is left of a value that failed, nor of the objects around it",
        arguments: [
            (Place(city: .nan), "{}"),
            (Place(city: .nan, address: "x"), #"{"address":"x"}"#),
            (Place(city: .nan, zip: "1"), #"{"address":{"area":{"zip":"1"}}}"#),
            (Place(city: .nan, zip: "1", street: .infinity), #"{"address":{"area":{"zip":"1"}}}"#),
            (Place(zip: "1", street: .nan), #"{"address":{"area":{"zip":"1"}}}"#),
            (Place(city: .nan, street: 2), #"{"address":{"street":2}}"#),
            (Place(city: 1, zip: "2", street: 3), #"{"address":{"area":{"city":1,"zip":"2"},"street":3}}"#),
            (Place(street: 3), #"{"address":{"street":3}}"#),
        ]
    )
    private func nothingIsLeft(place: Place, text: String) throws {
        #expect(try String(decoding: JsonEncoder().encode(place), as: UTF8.self) == text)
        // The place has this text also inside of other values, and after another place.
        let list = try JsonEncoder().encode([[place], [place, Place(city: 7)]])
        #expect(String(decoding: list, as: UTF8.self) == #"[[\#(text)],[\#(text),{"address":{"area":{"city":7}}}]]"#)
    }

    private enum NullKeys: String, PathCodingKey {
        case value, inner
        static let paths: [NullKeys: [String]] = [.value: ["x"], .inner: ["x.y"]]
    }

    private struct Nulls: Encodable {
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: NullKeys.self)
            try container.encode(1, forKey: .value)
            do {
                try container.encodeNil(forKey: .inner)
                Issue.record("null was written through a number")
            } catch is EncodingError {}
        }
    }

    @Test("a null through the value of another key is refused where it is written, and can be caught")
    func nulls() throws {
        #expect(try String(decoding: JsonEncoder().encode(Nulls()), as: UTF8.self) == #"{"x":1}"#)
    }

    @Test("a path through the value of another key is refused, as long as that value is there")
    func paths() {
        #expect(throws: EncodingError.self) { try JsonEncoder().encode(Place(zip: "1", address: "x")) }
        #expect(throws: EncodingError.self) { try JsonEncoder().encode(Place(city: 1, address: "x")) }
    }
}
