/// Durations as ISO 8601 text: `PT1H30M`, `P2W`, `P1DT12H`, `PT0.25S`.
///
/// ```swift
/// struct FilmEntry: Codable { @Formatted<ISO8601Duration> var length: Duration }
/// ```
public enum ISO8601Duration: NamedFormat {
    /// Durations as text.
    public static var format: ValueFormat<Duration> { .iso8601 }
}

extension ValueFormat where Value == Duration {
    /// A duration after ISO 8601-1 §5.5.2.4: weeks, days of 24 hours, hours, minutes and seconds, with an optional
    /// sign. The last part can have a fraction. Years and months are refused, as they have no fixed length. Written in
    /// hours, minutes and seconds.
    public static var iso8601: Self {
        Self(text: "an ISO 8601 duration without years and months") {
            Duration(iso8601: $0)
        } write: {
            $0.iso8601
        }
        .reading { nodes, position in nodes.stringValue(at: position).flatMap { Duration(iso8601: $0) } }
    }
}

extension Duration {
    /// The duration of an ISO 8601 text, `PT1H30M`; nil for every other text, for years and months, and for durations
    /// that `Duration` cannot represent exactly.
    /// - Parameter text: The text.
    public init?(iso8601 text: String) {
        var reader = DurationReader(text.utf8)
        guard let duration = reader.read() else { return nil }
        self = duration
    }

    /// The duration as ISO 8601 text in hours, minutes and seconds: `PT1H30M`.
    public var iso8601: String {
        // In hours first: `components` cannot represent the seconds of every duration.
        let hours = (self / 3600).components.seconds
        let (seconds, attoseconds) = (self - .seconds(hours) * 3600).components
        var text = self < .zero ? "-PT" : "PT"
        if hours != 0 { text += "\(hours.magnitude)H" }
        if seconds.magnitude >= 60 { text += "\(seconds.magnitude / 60)M" }
        if seconds % 60 != 0 || attoseconds != 0 || self == .zero {
            text += "\(seconds.magnitude % 60)\(Self.fractionText(attoseconds.magnitude))S"
        }
        return text
    }

    private static func fractionText(_ attoseconds: UInt64) -> String {
        guard attoseconds > 0 else { return "" }
        let digits = String(attoseconds)
        let padded = String(repeating: "0", count: 18 - digits.count) + digits
        return "." + padded[...(padded.lastIndex { $0 != "0" } ?? padded.startIndex)]
    }
}

/// Reads `[+-]P[nW][nD][T[nH][nM][nS]]` from the first byte to the last.
private struct DurationReader {
    private var rest: Substring.UTF8View
    private var total = Duration.zero

    init(_ text: String.UTF8View) { rest = text[...] }

    mutating func read() -> Duration? {
        let isNegative = skip(Ascii.minus)
        if !isNegative { _ = skip(Ascii.plus) }
        guard skip(UInt8(ascii: "P")), readParts() else { return nil }
        return isNegative ? .zero - total : total
    }

    /// The units in their order, with their lengths in seconds.
    private static let dateUnits: [(UInt8, UInt64)] = [(UInt8(ascii: "W"), 604_800), (UInt8(ascii: "D"), 86_400)]
    private static let timeUnits: [(UInt8, UInt64)] = [
        (UInt8(ascii: "H"), 3600), (UInt8(ascii: "M"), 60), (UInt8(ascii: "S"), 1),
    ]

    /// At least one part, and at least one after a `T`. Only the last part of all may have a fraction.
    private mutating func readParts() -> Bool {
        guard let days = readUnits(Self.dateUnits) else { return false }
        guard skip(UInt8(ascii: "T")) else { return days > 0 && rest.isEmpty }
        guard let times = readUnits(Self.timeUnits) else { return false }
        return times > 0 && rest.isEmpty
    }

    /// The number of parts; nil if one is invalid.
    private mutating func readUnits(_ units: [(UInt8, UInt64)]) -> Int? {
        var units = units[...]
        var count = 0
        while let first = rest.first, Ascii.isDigit(first) {
            guard let number = readNumber(), let letter = rest.popFirst(),
                let place = units.firstIndex(where: { $0.0 == letter }),
                number.fraction == 0 || rest.isEmpty, add(number, units[place].1)
            else { return nil }
            units = units[(place + 1)...]
            count += 1
        }
        return count
    }

    /// A whole number and a fraction of 10^18ths.
    private mutating func readNumber() -> (whole: UInt64, fraction: UInt64)? {
        let whole = rest.prefix(while: Ascii.isDigit)
        rest = rest[whole.endIndex...]
        guard let number = UInt64(Substring(whole)) else { return nil }
        guard skip(Ascii.point) || skip(Ascii.comma) else { return (number, 0) }
        let digits = rest.prefix(while: Ascii.isDigit)
        rest = rest[digits.endIndex...]
        let zeros = String(repeating: "0", count: max(0, 18 - digits.count))
        guard (1...18).contains(digits.count), let fraction = UInt64(String(Substring(digits)) + zeros) else {
            return nil
        }
        return (number, fraction)
    }

    /// False if the sum exceeds the whole seconds of a `Duration` in 64 bits.
    private mutating func add(_ number: (whole: UInt64, fraction: UInt64), _ unit: UInt64) -> Bool {
        let (seconds, overflows) = number.whole.multipliedReportingOverflow(by: unit)
        let product = number.fraction.multipliedFullWidth(by: unit)
        let (carried, attoseconds) = UInt64(1_000_000_000_000_000_000).dividingFullWidth(product)
        guard !overflows, seconds < 1 << 62, total.components.seconds < 1 << 61 else { return false }
        total += Duration(secondsComponent: Int64(seconds + carried), attosecondsComponent: Int64(attoseconds))
        return true
    }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard rest.first == byte else { return false }
        rest.removeFirst()
        return true
    }
}
