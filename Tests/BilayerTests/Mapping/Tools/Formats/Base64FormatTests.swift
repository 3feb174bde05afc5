import Bilayer
import Foundation
import Testing

@Suite("Base64 as a format")
struct Base64FormatTests {
    @Test(
        "each variant reads what it allows, and nothing else",
        arguments: [
            // text, standard, standard without padding, URL-safe, URL-safe without padding, line breaks skipped
            ("+/8=", [true, true, false, false, true]), ("-_8=", [false, false, true, true, false]),
            ("+/8", [false, true, false, false, false]), ("-_8", [false, false, false, true, false]),
            ("+/\r\n8=\n", [false, false, false, false, true]), ("", [true, true, true, true, true]),
            ("a", [false, false, false, false, false]), ("+/8=!", [false, false, false, false, false]),
            ("aGk gaGk=", [false, false, false, false, false]), ("====", [false, false, false, false, false]),
            ("AQ=A", [false, false, false, false, false]), ("AAAA====", [false, false, false, false, false]),
            ("AAAA=", [false, false, false, false, false]), ("AQ==AAAA", [false, false, false, false, false]),
        ]
    )
    func variants(text: String, reads: [Bool]) {
        let formats: [ValueFormat<Data>] = [
            .base64, .base64(.withoutPadding), .base64URL([]), .base64URL, .base64(.skippingLineBreaks),
        ]
        #expect(formats.map { (try? $0.read(Json(text))) != nil } == reads)
    }

    @Test("errors say the length, not the text")
    func errors() {
        let message = failure { try ValueFormat.base64.read("secret!!") }
        #expect(message == "$: invalid value: expected Base64, found string (8 characters)")
        #expect(
            failure { try ValueFormat.base64.read([1, 2]) }.hasPrefix("$: wrong type: expected Base64, found array")
        )
    }

    @Test("every variant reads back what it writes, and agrees with Foundation")
    func roundTrips() throws {
        for seed in 0..<20 as Range<UInt64> {
            var random = SplitMix64(seed: seed)
            for count in 0..<40 {
                let data = Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
                #expect(try ValueFormat.base64.write(data) == Json(data.base64EncodedString()))
                for format in [.base64, .base64(.withoutPadding), .base64URL([]), .base64URL] as [ValueFormat<Data>] {
                    let raw = try format.write(data)
                    #expect(try format.read(raw) == data, "seed \(seed): \(raw)")
                }
                let wrapped = data.base64EncodedString(options: [.lineLength64Characters, .endLineWithCarriageReturn])
                #expect(try ValueFormat.base64(.skippingLineBreaks).read(Json(wrapped)) == data, "seed \(seed)")
            }
        }
    }
}
