import Bilayer
import Foundation
import Testing

@Suite("Generated durations, addresses and Base64")
struct GeneratedTextsTests {
    @Test("a duration is the sum of its parts, whichever of them are there", arguments: 0..<20 as Range<UInt64>)
    func durations(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let units: [(letter: String, seconds: Int64)] = [
            ("W", 604_800), ("D", 86_400), ("H", 3600), ("M", 60), ("S", 1),
        ]
        for round in 0..<200 {
            let chosen = units.indices.filter { _ in random.next(below: 2) == 0 }
            guard let last = chosen.last else { continue }
            var total = Duration.zero
            var text = random.next(below: 3) == 0 ? "-P" : "P"
            for place in chosen {
                if place >= 2, !text.contains("T") { text += "T" }
                let count = Int64(random.next(below: 100_000))
                total += .seconds(count * units[place].seconds)
                text += String(count)
                if place == last, random.next(below: 2) == 0 {
                    let thousandths = Int64(random.next(below: 1000))
                    total += .milliseconds(thousandths * units[place].seconds)
                    text += [".", ","][random.next(below: 2)] + String(String(1000 + thousandths).dropFirst())
                }
                text += units[place].letter
            }
            let expected = text.hasPrefix("-") ? .zero - total : total
            #expect(Duration(iso8601: text) == expected, "seed \(seed), round \(round): \(text)")
            #expect(Duration(iso8601: expected.iso8601) == expected, "seed \(seed), round \(round): \(text)")
            let broken = text.replacing("P", with: ["", "PP", "p"][random.next(below: 3)])
            #expect(Duration(iso8601: broken) == nil, "seed \(seed), round \(round): \(broken)")
        }
    }

    @Test(
        "an address keeps what was put into it, and Foundation takes it apart again",
        arguments: 0..<20 as Range<UInt64>
    )
    func addresses(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let letters = Array("abcXYZ019-._~äß日é🙂")
        for round in 0..<100 {
            func word() -> String {
                String((0...random.next(below: 5)).map { _ in letters[random.next(below: letters.count)] })
            }
            let path = (0..<random.next(below: 4)).map { _ in "/" + word() }.joined()
            let query = random.next(below: 2) == 0 ? nil : word()
            let fragment = random.next(below: 2) == 0 ? nil : word()
            let text =
                "https://example.com:8080" + path + (query.map { "?q=" + $0 } ?? "") + (fragment.map { "#" + $0 } ?? "")
            let url = try ValueFormat.url.read(Json(text))
            let parts = try #require(URLComponents(string: url.absoluteString), "seed \(seed), round \(round): \(text)")
            #expect(
                parts.path == path && parts.queryItems?.first?.value == query && parts.fragment == fragment,
                "seed \(seed), round \(round): \(text)"
            )
            #expect(parts.scheme == "https" && parts.host == "example.com" && parts.port == 8080)
            #expect(url.absoluteString.utf8.allSatisfy { $0 < 128 })
            #expect(
                try ValueFormat.url.read(ValueFormat.url.write(url)) == url,
                "seed \(seed), round \(round): \(text)"
            )
        }
    }

    @Test("no generated text makes an address that Foundation does not know as one", arguments: 0..<10 as Range<UInt64>)
    func anyText(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let pieces = [
            "http", "s", ":", "/", "//", "a", "%", "%41", "?", "#", "[", "]", "@", " ", "é", "\u{0}", ".", "8", "\\",
            "mailto:", "https://a",
        ]
        var accepted = [0, 0]
        for round in 0..<500 {
            let text = (0..<random.next(below: 8)).map { _ in pieces[random.next(below: pieces.count)] }.joined()
            for (place, format) in ([.url, .urlReference] as [ValueFormat<URL>]).enumerated() {
                guard let url = try? format.read(Json(text)) else { continue }
                accepted[place] += 1
                #expect(place == 1 || url.scheme?.isEmpty == false, "seed \(seed), round \(round): \(text)")
                #expect(URL(string: url.relativeString) == url, "seed \(seed), round \(round)")
                #expect(try format.read(format.write(url)) == url, "seed \(seed), round \(round): \(text)")
            }
        }
        // Texts of both formats must be among the 500.
        #expect(accepted[0] >= 10 && accepted[1] >= 100, "\(accepted)")
    }

    /// Whether the padding is valid. Foundation accepts padding anywhere.
    private func isPadded(_ text: String) -> Bool {
        text.utf8.count % 4 == 0 && text.drop { $0 != "=" }.allSatisfy { $0 == "=" }
            && text.filter { $0 == "=" }.count <= 2
    }

    @Test(
        "of damaged Base64, strict reading takes what Foundation takes if it is padded right",
        arguments: 0..<20 as Range<UInt64>
    )
    func damagedBase64(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let letters = Array("AZaz09+/=-_ \n!é")
        for round in 0..<200 {
            let data = Data((0..<random.next(below: 12)).map { _ in UInt8(random.next(below: 256)) })
            var text = Array(data.base64EncodedString())
            let place = random.next(below: text.count + 1)
            let letter = letters[random.next(below: letters.count)]
            if place < text.count { text[place] = letter } else { text.append(letter) }
            let damaged = String(text)
            #expect(
                (try? ValueFormat.base64.read(Json(damaged)))
                    == (isPadded(damaged) ? Data(base64Encoded: damaged) : nil),
                "seed \(seed), round \(round): \(damaged)"
            )
            let urlSafe = damaged.replacing("+", with: "-").replacing("/", with: "_")
            let unpadded = String(urlSafe.prefix { $0 != "=" })
            let padded = unpadded + String(repeating: "=", count: (4 - unpadded.utf8.count % 4) % 4)
            let expected = Data(base64Encoded: padded.replacing("-", with: "+").replacing("_", with: "/"))
            #expect(
                (try? ValueFormat.base64URL.read(Json(unpadded))) == (isPadded(padded) ? expected : nil),
                "seed \(seed), round \(round): \(unpadded)"
            )
        }
    }
}
