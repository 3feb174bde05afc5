import Bilayer
import Foundation
import Testing

private let rawTexts = [
    "null", "true", "0", "1", "-0", "7", "-7.5", "1e3", "1.0", "1E400", "9007199254740993",
    "123456789012345678901234567890",
    "0.1000000000000000055", #""""#, #""7""#, #""-7""#, #""1.50""#, #""01""#, #""+1""#, #""1 ""#, #"" 1""#, #""1e2""#,
    #""-""#, #""1.""#, #"".5""#, #""true""#, #""null""#, #""\u0037""#, #""12345678901234567890123456""#, #""é""#,
    #""2026-11-21T09:41:00Z""#, #""2026-11-21 09:41:00Z""#, #""2026-11-21T09:41:00.25+01:00""#,
    #""2026-11-21T09:41:00\u005a""#, #""2026-02-30T09:41:00Z""#, #""2026-11-21""#, "1774000000", "1774000000000",
    "-1e15",
    #""PT1H""#, #""-P1DT0.5S""#, #""P1Y""#, #""https://a.example/b?c=%20""#, #""https://a.example/b?c=%2""#, #""a/b""#,
    #""https://a.example/\u00e9""#, #""https://é.example/é""#, #""http:""#, "[]", "{}", "[1]", #"{"a":1}"#,
]

/// The value, or what the error says of it.
private func outcome<Value>(_ read: () throws -> Value) -> String {
    do {
        return "\(try read())"
    } catch let DecodingError.dataCorrupted(context) {
        return text(of: context.underlyingError)
    } catch {
        return text(of: error)
    }
}

private func text(of error: (any Error)?) -> String {
    guard let error = error as? MappingError else { return "no mapping error: \(error.map { "\($0)" } ?? "none")" }
    return error.issues.map { "\($0.kind) \($0.expected ?? "-") \($0.found.map { "\($0)" } ?? "-")" }.joined()
}

@Suite("Formats of Codable fields are read in place, with the values and errors of the format")
struct FormatsInPlaceTests {
    struct Field<Value: Codable>: Codable { let v: Value }

    private func check<Value: Codable>(_ type: Value.Type, _ format: ValueFormat<Value>, _ name: String) throws {
        var decoder = JsonDecoder()
        decoder.scalars.register(type, as: format)
        for text in rawTexts {
            let whole = try Json(parsing: #"{"v":\#(text)}"#)
            let raw = try #require(whole["v"])
            let inPlace = outcome { try whole.decode(Field<Value>.self, using: decoder).v }
            #expect(inPlace == outcome { try format.read(raw) }, "\(name): \(text)")
        }
    }

    @Test func registeredFormatsReadWhatTheFormatReads() throws {
        try check(Date.self, .rfc3339, "RFC 3339")
        try check(Date.self, .rfc3339(acceptingSpace: true), "RFC 3339 with a blank")
        try check(Date.self, .unixSeconds, "seconds")
        try check(Date.self, .unixMilliseconds, "milliseconds")
        try check(Date.self, .quoted(.unixSeconds), "quoted seconds")
        try check(Date.self, .firstOf(.rfc3339, .dateOnly, .unixSeconds), "several")
        try check(Bool.self, .flexible, "flexible")
        try check(Bool.self, .zeroOrOne, "0 or 1")
        try check(Decimal.self, .plain, "decimal")
        try check(Decimal.self, .quoted, "quoted decimal")
        try check(Decimal.self, .lenient, "lenient decimal")
        try check(Date.self, .dateOnly, "days")
        try check(Duration.self, .iso8601, "durations")
        try check(URL.self, .url, "addresses")
        try check(Duration.self, ValueFormat<Int64>.quoted.map({ .seconds($0) }, { $0.components.seconds }), "mapped")
    }

    @Test(
        "a formatted property reads as its format does",
        arguments: rawTexts
    )
    func formatted(text: String) throws {
        struct Entry: Codable {
            @Formatted<Quoted<Int64>> var id: Int64
            @Formatted<RFC3339?> var at: Date?
        }
        let id = try Json(parsing: #"{"id":\#(text)}"#)
        let alone = outcome { try ValueFormat<Int64>.quoted.read(id["id"] ?? .null) }
        #expect(outcome { try id.decode(Entry.self).id } == alone)
        let at = try Json(parsing: #"{"id":"1","at":\#(text)}"#)
        let dateAlone = outcome { try ValueFormat<Date?>.optional(.rfc3339).read(at["at"] ?? .null) }
        #expect(outcome { try at.decode(Entry.self).at } == dateAlone)
    }

    @Test func aFormatIsAskedForOnce() throws {
        enum Counted: NamedFormat {
            static let requests = RequestCounter()
            static var format: ValueFormat<Date> {
                requests.add()
                return .rfc3339
            }
        }
        struct Entry: Codable, RawMappable { @Formatted<Counted> var at: Date }
        let text = #"[{"at":"2026-01-01T00:00:00Z"},{"at":"2026-01-02T00:00:00Z"}]"#
        for _ in 0..<3 {
            let entries = try [Entry].from(raw: Json(parsing: text))
            _ = try entries.toRaw()
            _ = try JSONDecoder().decode([Entry].self, from: Data(text.utf8))
        }
        #expect(Counted.requests.count == 1)
    }
}

/// A counter for formats, which are made on any thread.
// Sendable: the number is only used with the lock held.
private final class RequestCounter: @unchecked Sendable {
    private let lock = NSLock()
    private var number = 0

    func add() { lock.withLock { number += 1 } }
    var count: Int { lock.withLock { number } }
}
