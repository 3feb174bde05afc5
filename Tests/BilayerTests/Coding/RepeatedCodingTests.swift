#if os(Linux)
import Bilayer
import Foundation
import Testing

/// The test runs in a process of its own, because other tests need memory, too.
@Suite("Repeating the coders needs no more memory", .timeLimit(.minutes(10)))
struct RepeatedCodingTests {
    /// The first tenth of the calls makes everything that the coders keep between calls. In the other calls, a leak of
    /// 64 bytes a call would be more than a megabyte.
    @Test("20,000 calls in which errors are thrown and caught")
    func memoryStaysFlat() async {
        await #expect(processExitsWith: .success) {
            let rounds = 20_000
            for round in 0..<rounds / 10 { try RepeatedCall.make(round) }
            let before = ProcessResources.now
            for round in rounds / 10..<rounds { try RepeatedCall.make(round) }
            let after = ProcessResources.now
            #expect(after.kilobytes <= before.kilobytes + 1024, "\(before.kilobytes) kB -> \(after.kilobytes) kB")
        }
    }
}

/// Decodings and encodings of small values: some succeed, some fail, and some catch errors of their parts. The calls
/// use no `#expect`, which may keep memory itself.
private enum RepeatedCall {
    private struct Unexpected: Error {}

    private static let good = Data(#"{"name":"Ada","numbers":[1,2.5,"three"],"user_name":{"first":"A"}}"#.utf8)
    /// Texts that fail at the syntax, at a type, and at a missing key.
    private static let bad = [#"{"name":"Ada""#, #"{"name":"Ada","numbers":{}}"#, #"{"numbers":[]}"#]
        .map { Data($0.utf8) }

    /// Every second call has a strategy for keys.
    static func make(_ round: Int) throws {
        var (decoder, encoder) = (JsonDecoder(), JsonEncoder())
        if round.isMultiple(of: 2) { (decoder.keys, encoder.keys) = (.convertFromSnakeCase, .convertToSnakeCase) }
        let value = try decoder.decode(RepeatedValue.self, from: good)
        let again = try decoder.decode(RepeatedValue.self, from: encoder.encode(value))
        guard value.numbers == [1, 2.5, nil], again.numbers == value.numbers,
            try Json(encoding: value)["name"] == "Ada"
        else { throw Unexpected() }
        for text in bad where (try? decoder.decode(RepeatedValue.self, from: text)) != nil { throw Unexpected() }
        for numbers in [[Double.nan], [1, .infinity]] {
            do {
                _ = try encoder.encode(["numbers": numbers])
            } catch {
                // The text of an error is made when it is read.
                if "\(error)".contains("numbers") { continue }
            }
            throw Unexpected()
        }
    }
}

/// Reads an element that is no number as `nil`, and goes on after a part that it fails to write.
private struct RepeatedValue: Codable {
    private enum Keys: String, CodingKey { case name, numbers, userName, failing }

    let name: String
    let numbers: [Double?]
    /// Its JSON key, `user_name`, is found only under the strategy that converts keys.
    let userName: [String: String]?

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        name = try container.decode(String.self, forKey: .name)
        var list = try container.nestedUnkeyedContainer(forKey: .numbers)
        var numbers: [Double?] = []
        while !list.isAtEnd {
            if let number = try? list.decode(Double.self) {
                numbers.append(number)
            } else {
                _ = try list.decode(Json.self)
                numbers.append(nil)
            }
        }
        self.numbers = numbers
        userName = try? container.decode([String: String].self, forKey: .userName)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(name, forKey: .name)
        try? container.encode([1, Double.nan], forKey: .failing)
        try container.encode(numbers, forKey: .numbers)
        try container.encodeIfPresent(userName, forKey: .userName)
    }
}
#endif
