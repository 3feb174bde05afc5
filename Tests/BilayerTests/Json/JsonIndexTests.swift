import Bilayer
import Testing

@Suite("Places of elements and members")
struct JsonIndexTests {
    @Test func aPlaceOfAnotherValueIsAMistakeAndNeverRead() async {
        await #expect(processExitsWith: .failure) {
            let big: Json = try Json(parsing: "[0,1,2,3,4,5,6,7,8,9]")
            let small: Json = try Json(parsing: "[1,2]")
            _ = small.elements[big.elements.index(after: big.elements.startIndex)]
        }
        await #expect(processExitsWith: .failure) {
            let big: Json = try Json(parsing: #"{"a":{"b":1,"c":2},"d":3}"#)
            let small: Json = try Json(parsing: #"{"a":1,"b":2}"#)
            _ = small.members[big.members.index(after: big.members.startIndex)]
        }
    }

    @Test func placesOfEqualCopiesAreTheSame() throws {
        let json = try Json(parsing: #"{"list":[1,2,3]}"#)
        let list = try #require(json["list"])
        let second = list.elements.index(after: list.elements.startIndex)
        #expect(json["list"]?.elements[second] == 2)
        #expect(list.elements.map(\.int) == [1, 2, 3])
    }
}
