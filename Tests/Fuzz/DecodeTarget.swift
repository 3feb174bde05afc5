import Foundation

// One text, decoded by both decoders into one of a family of types. Both must make the same value, or both refuse it.
// The documentation lists the exceptions. What was decoded is encoded and decoded again. In most cases each decoder
// also reads the other encoder's text. The first byte of an input chooses the type, the second one the strategies.

/// Checks one input.
@_cdecl("decodeTarget")
public func decodeTarget(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count >= 2 else { return 0 }
    let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    let comparison = Comparison(strategies: bytes[1], text: Array(bytes[2...]))
    let family = families[Int(bytes[0]) % families.count]
    family(comparison)
    return 0
}

/// Types of many forms. With `inOrder`, both decoders meet faults in the same order, so their first errors are alike.
private let families: [@Sendable (Comparison) -> Void] = [
    { $0.run(Plain.self) },
    { $0.run(Integers.self, inOrder: true) },
    { $0.run(Shape.self) },
    { $0.run(Tree.self) },
    { $0.run(Dog.self, inOrder: true) },
    { $0.run(Cat.self, inOrder: true) },
    { $0.run(Nested.self, inOrder: true) },
    { $0.run(NumberOrText.self, inOrder: true) },
    { $0.decode(Dynamic.self) },
    { $0.decode(Walk.self, inOrder: true) },
    { $0.decode(Witness.self) },
    { $0.run([Int8].self, inOrder: true) },
    { $0.run([Int16].self, inOrder: true) },
    { $0.run([Int32].self, inOrder: true) },
    { $0.run([Int64].self, inOrder: true) },
    { $0.run([Int].self, inOrder: true) },
    { $0.run([UInt8].self, inOrder: true) },
    { $0.run([UInt16].self, inOrder: true) },
    { $0.run([UInt32].self, inOrder: true) },
    { $0.run([UInt64].self, inOrder: true) },
    { $0.run([UInt].self, inOrder: true) },
    { $0.run([Double].self, inOrder: true) },
    { $0.run([Float].self, inOrder: true) },
    { $0.run([Decimal].self) },
    { $0.run([String].self, inOrder: true) },
    { $0.run([Bool?].self, inOrder: true) },
    { $0.run([[String?]]?.self, inOrder: true) },
    { $0.run([String: Int].self) },
    { $0.run([Int: String].self) },
    { $0.run([Name: [Level]].self) },
    { $0.run([String: [String: Double?]].self) },
    { $0.run([Date].self) },
    { $0.run([Data].self) },
    { $0.run([URL].self) },
    { $0.run([Level].self, inOrder: true) },
    { $0.run(Set<Int>.self) },
    { $0.run(Profile.self) },
    { $0.run([[Double]].self, inOrder: true) },
    { HandReadEntry.compare($0.text) },
    { $0.readEntries() },
    { $0.followPaths() },
]

/// A type as apps have them, with names that key strategies change.
private struct Profile: Codable, Equatable, RawDecodable {
    var id: UInt64
    var firstName: String?
    var createdAt: Date?
    var homePage: URL?
    var avatarData: Data?
    var balance: Decimal?
    var ratio: Float?
    var shapes: [Shape]?
    var settings: [String: NumberOrText]?
    var friends: [Profile]?
}

/// A text with the strategies to read it by.
private struct Comparison {
    private var bilayer = JsonDecoder()
    private var foundation = JSONDecoder()
    private var bilayerEncoder = JsonEncoder()
    private var foundationEncoder = JSONEncoder()
    let text: [UInt8]
    private let datesAreTexts: Bool
    private let convertsKeys: Bool
    private let json: ReferenceJson?

    init(strategies: UInt8, text: [UInt8]) {
        self.text = text
        json = ReferenceReader.read(text, maximumDepth: 512)
        datesAreTexts = strategies & 3 == 3
        switch strategies & 3 {
        case 0: break
        case 1:
            (bilayer.dates, bilayerEncoder.dates) = (.secondsSince1970, .secondsSince1970)
            foundation.dateDecodingStrategy = .secondsSince1970
            foundationEncoder.dateEncodingStrategy = .secondsSince1970
        case 2:
            (bilayer.dates, bilayerEncoder.dates) = (.millisecondsSince1970, .millisecondsSince1970)
            foundation.dateDecodingStrategy = .millisecondsSince1970
            foundationEncoder.dateEncodingStrategy = .millisecondsSince1970
        default:
            (bilayer.dates, bilayerEncoder.dates) = (.rfc3339, .rfc3339)
            foundation.dateDecodingStrategy = .iso8601
            foundationEncoder.dateEncodingStrategy = .iso8601
        }
        convertsKeys = strategies & 4 != 0
        if convertsKeys {
            bilayer.keys = .convertFromSnakeCase
            foundation.keyDecodingStrategy = .convertFromSnakeCase
        }
        if strategies & 8 != 0 {
            (bilayer.data, bilayerEncoder.data) = (.deferredToData, .deferredToData)
            foundation.dataDecodingStrategy = .deferredToData
            foundationEncoder.dataEncodingStrategy = .deferredToData
        }
        if strategies & 16 != 0 {
            let names = (positiveInfinity: "inf", negativeInfinity: "-inf", nan: "NaN")
            bilayer.nonConformingFloats = .convertFromString(
                positiveInfinity: names.positiveInfinity,
                negativeInfinity: names.negativeInfinity,
                nan: names.nan
            )
            bilayerEncoder.nonConformingFloats = .convertToString(
                positiveInfinity: names.positiveInfinity,
                negativeInfinity: names.negativeInfinity,
                nan: names.nan
            )
            foundation.nonConformingFloatDecodingStrategy = .convertFromString(
                positiveInfinity: names.positiveInfinity,
                negativeInfinity: names.negativeInfinity,
                nan: names.nan
            )
            foundationEncoder.nonConformingFloatEncodingStrategy = .convertToString(
                positiveInfinity: names.positiveInfinity,
                negativeInfinity: names.negativeInfinity,
                nan: names.nan
            )
        }
        let optimizations: [CoderOptimizations] = [
            .all, [], .all.subtracting(.containerReuse), .all.subtracting(.directCollections),
        ]
        bilayer.optimizations = optimizations[Int(strategies >> 6)]
        bilayerEncoder.optimizations = optimizations[Int(strategies >> 6)]
    }
}

// MARK: - Decoding

extension Comparison {
    /// Follows the paths of keys in the index and step by step.
    func followPaths() {
        guard json != nil else { return }
        var stepping = bilayer
        stepping.optimizations.remove(.pathsInIndex)
        checkPaths(
            Result { try bilayer.decode([Routed].self, from: Data(text)) },
            Result { try stepping.decode([Routed].self, from: Data(text)) }
        )
        checkPaths(
            Result { try bilayer.decode(Routed.self, from: Data(text)) },
            Result { try stepping.decode(Routed.self, from: Data(text)) }
        )
    }

    private func checkPaths<Value: Equatable>(_ found: Result<Value, any Error>, _ other: Result<Value, any Error>) {
        switch (found, other) {
        case (.success(let value), .success(let expected)):
            check(value == expected, "\(valueText(value)), step by step \(valueText(expected))")
        case (.failure(let error), .failure(let expected)): checkSame(error, expected)
        default: fail("\(valueText(found)), step by step \(valueText(other))")
        }
    }

    /// Reads an array of plain `Codable` entries twice by the mapping layer, and its elements one by one with a
    /// decoder. All three must give equal entries, or none.
    func readEntries() {
        guard let json = try? Json(parsing: text), json.kind == .array else { return }
        let entries = try? [Profile].from(raw: json)
        let again = try? [Profile].from(raw: json)
        let decoded = try? json.elements.map { try JsonDecoder.plain.decode(Profile.self, from: $0) }
        check(entries == decoded && again == decoded, "entries \(valueText(entries)), decoded \(valueText(decoded))")
    }

    /// Decodes the text with both decoders.
    @discardableResult
    func decode<Value: Decodable & Equatable>(_ type: Value.Type, inOrder: Bool = false) -> Value? {
        let found = Result { try bilayer.decode(type, from: Data(text)) }
        guard let json else {
            // Foundation reads some texts that are not JSON.
            guard case .failure(DecodingError.dataCorrupted) = found else {
                fail("\(type) from what is not JSON: \(valueText(found))")
            }
            return nil
        }
        if json.hasUnusualKeys || json.contains(\.isDifferentInFoundation) { return try? found.get() }
        if datesAreTexts && json.hasEarlyDates { return try? found.get() }
        let isExact =
            Value.self is [Double].Type || Value.self is [[Double]].Type || Value.self is [Float].Type
            || Value.self is NumberOrText.Type
        if !isExact && json.contains(\.isInexactInFoundation) { return try? found.get() }
        let expected = Result { try foundation.decode(type, from: Data(text)) }
        switch (found, expected) {
        case (.success(let value), .success(let other)):
            check(isSame(value, other), "\(type) is \(valueText(value)), with Foundation \(valueText(other))")
        case (.failure(let error), .failure(let other)):
            if inOrder { checkSame(error, other) }
        case (.success(let value), .failure(let error)):
            if datesAreTexts && type != Integers.self { break }
            // Under a key strategy, Foundation also reads the repeated members of a dictionary, of which it uses none.
            if convertsKeys && json.hasRepeatedKeys && hasTextKeys(type) { break }
            fail("\(type) is \(valueText(value)), with Foundation an error: \(error)")
        case (.failure(let error), .success(let value)):
            // Foundation accepts some dates that RFC 3339 does not allow.
            if datesAreTexts && "\(error)".contains("not an RFC 3339 date") { break }
            fail("\(type) is an error, with Foundation \(valueText(value)): \(error)")
        }
        return try? found.get()
    }

    /// Whether a type is or contains a dictionary with `String` keys.
    private func hasTextKeys(_ type: Any.Type) -> Bool {
        ["Dictionary<String", "Plain", "Profile", "Witness"].contains { "\(type)".contains($0) }
    }

    /// Checks that both errors are of the same case at the same path, if Foundation has kept the path.
    private func checkSame(_ error: any Error, _ other: any Error) {
        let (found, expected) = (summary(of: error), summary(of: other))
        check(found.sort == expected.sort, "\(found), with Foundation \(expected)")
        if found.sort == "dataCorrupted", expected.path.isEmpty { return }
        check(found.path == expected.path, "\(found), with Foundation \(expected)")
    }

    private func summary(of error: any Error) -> (sort: String, path: String) {
        func text(_ context: DecodingError.Context) -> String {
            context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }.joined(separator: ".")
        }
        return switch error {
        case DecodingError.keyNotFound(let key, let context): ("keyNotFound \(key.stringValue)", text(context))
        case DecodingError.valueNotFound(_, let context): ("valueNotFound", text(context))
        case DecodingError.typeMismatch(_, let context): ("typeMismatch", text(context))
        case DecodingError.dataCorrupted(let context): ("dataCorrupted", text(context))
        default: ("\(error)", "")
        }
    }

    /// Whether two values are equal, or differ only because they have a NaN in the same place.
    private func isSame<Value: Equatable>(_ value: Value, _ other: Value) -> Bool {
        value == other || valueText(value) == valueText(other)
    }
}

// MARK: - Encoding

extension Comparison {
    /// Decodes, encodes and decodes again. If dates are no texts and all keys are ASCII, each decoder also reads the
    /// other encoder's text.
    func run<Value: Codable & Equatable>(_ type: Value.Type, inOrder: Bool = false) {
        guard let value = decode(type, inOrder: inOrder) else { return }
        let text: Data
        do {
            text = try bilayerEncoder.encode(value)
        } catch {
            // A date beyond the year 9999 has no text. An infinite date, which a large number of milliseconds makes,
            // has no number.
            if (try? foundationEncoder.encode(value)) != nil && !datesAreTexts {
                fail("\(valueText(value)) is not encoded: \(error)")
            }
            return
        }
        let again = Result { try bilayer.decode(type, from: text) }
        guard case .success(let same) = again else {
            fail("\(valueText(value)) is not decoded again: \(valueText(again))")
        }
        // A date's text has fewer digits than the date, so only a value that was decoded again stays the same.
        if datesAreTexts {
            guard let second = try? bilayer.decode(type, from: bilayerEncoder.encode(same)), isSame(second, same) else {
                fail("\(valueText(same)) is another value after encoding")
            }
        } else {
            check(isSame(same, value), "\(valueText(value)) is \(valueText(same)) after encoding")
            guard let json, !json.hasUnusualKeys else { return }
            let crossed = Result { try foundation.decode(type, from: text) }
            guard case .success(let read) = crossed, isSame(read, value) else {
                fail("\(valueText(value)) is \(valueText(crossed)) for Foundation after encoding")
            }
            if let other = try? foundationEncoder.encode(value) {
                let back = Result { try bilayer.decode(type, from: other) }
                guard case .success(let read) = back, isSame(read, value) else {
                    fail("\(valueText(value)) is \(valueText(back)) after encoding by Foundation")
                }
            }
        }
    }
}

// MARK: - Documented differences

extension ReferenceJson {
    /// Whether there is a key that Foundation may take for another one: it joins canonically equivalent keys.
    var hasUnusualKeys: Bool {
        switch self {
        case .array(let elements): elements.contains(where: \.hasUnusualKeys)
        case .object(let members): members.contains { $0.key.contains { $0 >= 0x80 } || $0.value.hasUnusualKeys }
        default: false
        }
    }

    /// Whether an object has two members with the same key.
    var hasRepeatedKeys: Bool {
        switch self {
        case .array(let elements): elements.contains(where: \.hasRepeatedKeys)
        case .object(let members):
            Set(members.map(\.key)).count < members.count || members.contains { $0.value.hasRepeatedKeys }
        default: false
        }
    }

    /// Whether there may be a date before 1583 as text. Foundation reads such a text by the Julian calendar, in which
    /// the text names another day.
    var hasEarlyDates: Bool {
        switch self {
        case .string(let bytes): bytes.prefix(4).lexicographicallyPrecedes("1583".utf8)
        case .array(let elements): elements.contains(where: \.hasEarlyDates)
        case .object(let members): members.contains { $0.value.hasEarlyDates }
        default: false
        }
    }

    /// Whether there is a number for which the closure returns `true`.
    func contains(_ isOfSort: (NumberText) -> Bool) -> Bool {
        switch self {
        case .number(let text): isOfSort(NumberText(text))
        case .array(let elements): elements.contains { $0.contains(isOfSort) }
        case .object(let members): members.contains { $0.value.contains(isOfSort) }
        default: false
        }
    }

    /// A number as it is spelled.
    struct NumberText {
        private let text: String
        private let digits: Substring
        private let isInteger: Bool

        init(_ bytes: ArraySlice<UInt8>) {
            text = String(decoding: bytes, as: UTF8.self)
            digits = text.prefix { $0 != "e" && $0 != "E" }.drop { !("1"..."9").contains($0) }
            isInteger = !text.contains { ".eE".contains($0) }
        }

        /// True for a zero with an exponent, such as `0e1`, which Foundation refuses. Also true for a number nearer to
        /// zero than any `Float`: Foundation refuses it as a `Float`, but reads it as the integer zero.
        var isDifferentInFoundation: Bool {
            if isInteger { return false }
            return digits.isEmpty ? text.contains { "eE".contains($0) } : Float(text).map { $0 == 0 } ?? true
        }

        /// True for more digits than a `Double` has (with a point or an exponent, Foundation goes through one) or than
        /// `Decimal` has. Also for an exponent over 127, which Foundation refuses even if the digits could take the
        /// rest.
        var isInexactInFoundation: Bool {
            digits.count > (isInteger ? 38 : 15) || (exponent ?? .max) > 127
        }

        private var exponent: Int? {
            guard let letter = text.firstIndex(where: { $0 == "e" || $0 == "E" }) else { return 0 }
            return Int(text[text.index(after: letter)...])
        }
    }
}
