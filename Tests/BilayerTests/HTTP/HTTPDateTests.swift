import Foundation
import Testing

@testable import Bilayer

@Suite("HTTPDate: the three forms of RFC 9110 §5.6.7")
struct HTTPDateTests {
    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        "Mon, 06 Nov 1994 08:49:37 GMT",
    ]) func theFormsAreOneDate(text: String) {
        #expect(HTTPDate.parse(text) == Date(timeIntervalSince1970: 784_111_777))
    }

    @Test(arguments: [
        "", "0", "-1", "never", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC",
        "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 31 Nov 1994 08:49:37 GMT", "Sun, 29 Feb 2023 08:49:37 GMT",
        "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 06 Nov 1994 08:49:61 GMT",
        "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 06 nov 1994 08:49:37 GMT", "Sun, 06 Nov +994 08:49:37 GMT",
        "Sünday, 06-Nov-94 08:49:37 GMT", "Sun, 06-Nov-94 08:49:37 GMT", "Sun Nov 006 08:49:37 1994",
        String(repeating: "Sun, 06 Nov 1994 08:49:37 GMT ", count: 10),
    ]) func otherTextsAreNoDates(text: String) {
        #expect(HTTPDate.parse(text) == nil)
    }

    @Test func yearsOfTwoDigitsAreAtMostFiftyYearsAhead() throws {
        func year(_ short: String) throws -> String {
            let date = try #require(HTTPDate.parse("Sunday, 06-Nov-\(short) 08:49:37 GMT"))
            return String(HTTPDate.text(of: date).dropFirst(12).prefix(4))
        }
        #expect(try year("76") == "2076")
        #expect(try year("77") == "1977")
        #expect(try year("99") == "1999")
        #expect(try year("00") == "2000")
    }

    @Test func aLeapSecondIsTheNextDay() {
        #expect(
            HTTPDate.parse("Sat, 31 Dec 2016 23:59:60 GMT") == HTTPDate.parse("Sun, 01 Jan 2017 00:00:00 GMT")
        )
    }

    @Test func aWrittenDateIsReadBack() {
        var random = SplitMix64(seed: 11)
        for _ in 0..<2_000 {
            let seconds = Int64.random(in: -62_167_219_200...253_402_300_799, using: &random)
            let date = Date(timeIntervalSince1970: Double(seconds))
            #expect(HTTPDate.parse(HTTPDate.text(of: date)) == date, "\(seconds)")
        }
        #expect(HTTPDate.text(of: Date(timeIntervalSince1970: 784_111_777.9)) == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(HTTPDate.text(of: .distantFuture).hasSuffix(" GMT"))
        #expect(HTTPDate.text(of: Date(timeIntervalSince1970: 1e300)) == "Fri, 31 Dec 9999 23:59:59 GMT")
    }
}
