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
    /// A duration by ISO 8601-1 §5.5.2: weeks, days of 24 hours, hours, minutes and seconds, with an optional sign.
    /// The last part can have a fraction. Years and months are refused, because they have no fixed length. The format
    /// writes hours, minutes and seconds.
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
    /// Makes the duration of an ISO 8601 text such as `PT1H30M`. Returns `nil` for any other text, and for years and
    /// months. Also returns `nil` for a duration that `Duration` cannot represent, for a part that does not fit in a
    /// `UInt64`, and for a fraction of more than 18 digits. Trailing zeros of the fraction do not count.
    /// - Parameter text: The text.
    public init?(iso8601 text: String) {
        var reader = DurationReader(text.utf8)
        guard let duration = reader.read() else { return nil }
        self = duration
    }

    /// The duration as ISO 8601 text in hours, minutes and seconds: `PT1H30M`.
    public var iso8601: String {
        // The hours are computed first, because `components` cannot represent the seconds of every duration.
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
    private var length = Length()

    init(_ text: String.UTF8View) { rest = text[...] }

    mutating func read() -> Duration? {
        let isNegative = skip(Ascii.minus)
        if !isNegative { _ = skip(Ascii.plus) }
        guard skip(UInt8(ascii: "P")), readParts() else { return nil }
        return length.duration(isNegative: isNegative)
    }

    /// The units in their order, with their lengths in seconds.
    private static let dateUnits: [(UInt8, UInt64)] = [(UInt8(ascii: "W"), 604_800), (UInt8(ascii: "D"), 86_400)]
    private static let timeUnits: [(UInt8, UInt64)] = [
        (UInt8(ascii: "H"), 3600), (UInt8(ascii: "M"), 60), (UInt8(ascii: "S"), 1),
    ]

    /// Reads at least one part, and at least one after a `T`. Only the last part of all may have a fraction.
    private mutating func readParts() -> Bool {
        guard let days = readUnits(Self.dateUnits) else { return false }
        guard skip(UInt8(ascii: "T")) else { return days > 0 && rest.isEmpty }
        guard let times = readUnits(Self.timeUnits) else { return false }
        return times > 0 && rest.isEmpty
    }

    /// Reads parts with units in the order of `units`. Returns their number, or `nil` if a part is invalid.
    private mutating func readUnits(_ units: [(UInt8, UInt64)]) -> Int? {
        var units = units[...]
        var count = 0
        while let first = rest.first, Ascii.isDigit(first) {
            guard let number = readNumber(), let letter = rest.popFirst(),
                let index = units.firstIndex(where: { $0.0 == letter }),
                number.fraction == nil || rest.isEmpty,
                length.add(number.whole, number.fraction ?? 0, of: units[index].1)
            else { return nil }
            units = units[(index + 1)...]
            count += 1
        }
        return count
    }

    /// Reads a whole number, and its fraction in units of 10^-18 if it has one.
    private mutating func readNumber() -> (whole: UInt64, fraction: UInt64?)? {
        let whole = rest.prefix(while: Ascii.isDigit)
        rest = rest[whole.endIndex...]
        guard let number = UInt64(Substring(whole)) else { return nil }
        guard skip(Ascii.point) || skip(Ascii.comma) else { return (number, nil) }
        let digits = rest.prefix(while: Ascii.isDigit)
        rest = rest[digits.endIndex...]
        if digits.isEmpty { return nil }
        // Trailing zeros are removed first, so they do not count as digits.
        let significant = String(Substring(digits[...(digits.lastIndex { $0 != Ascii.zero } ?? digits.startIndex)]))
        let zeros = String(repeating: "0", count: max(0, 18 - significant.utf8.count))
        guard significant.utf8.count <= 18, let fraction = UInt64(significant + zeros) else { return nil }
        return (number, fraction)
    }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard rest.first == byte else { return false }
        rest.removeFirst()
        return true
    }
}

/// A length in hours, seconds and attoseconds. The whole seconds of the longest `Duration` do not fit in 64 bits.
private struct Length {
    private var hours: UInt64 = 0
    /// Below 3600.
    private var seconds: UInt64 = 0
    /// Below 10^18.
    private var attoseconds: UInt64 = 0

    /// Adds a number of units.
    /// - Parameters:
    ///   - whole: The whole number.
    ///   - fraction: The fraction of a unit, in units of 10^-18.
    ///   - unit: The unit in seconds. It divides an hour or is a multiple of an hour.
    /// - Returns: `false` if the length exceeds the longest `Duration`.
    mutating func add(_ whole: UInt64, _ fraction: UInt64, of unit: UInt64) -> Bool {
        let perHour = max(3600 / unit, 1)
        let (wholeHours, overflows) = (whole / perHour).multipliedReportingOverflow(by: max(unit / 3600, 1))
        guard !overflows, wholeHours <= Self.maximumHours else { return false }
        let (carried, rest) = Self.attosecondsPerSecond.dividingFullWidth(fraction.multipliedFullWidth(by: unit))
        // At most one part has a fraction, so the attoseconds stay below a second.
        attoseconds += rest
        seconds += whole % perHour * unit % 3600 + carried
        hours += wholeHours + seconds / 3600
        seconds %= 3600
        return hours <= Self.maximumHours
    }

    /// Returns the duration, or `nil` if it is longer than the longest `Duration`.
    func duration(isNegative: Bool) -> Duration? {
        // The longest negative duration is one attosecond longer than the longest positive one.
        let lastAttoseconds = Self.lastAttoseconds + (isNegative ? 1 : 0)
        if hours == Self.maximumHours, (seconds, attoseconds) > (Self.lastSeconds, lastAttoseconds) { return nil }
        let rest = Duration(secondsComponent: Int64(seconds), attosecondsComponent: Int64(attoseconds))
        // Both parts are subtracted: the longest negative duration is not the negation of a positive one.
        return isNegative ? .seconds(-Int64(hours)) * 3600 - rest : .seconds(Int64(hours)) * 3600 + rest
    }

    private static let attosecondsPerSecond: UInt64 = 1_000_000_000_000_000_000
    // The longest duration: 2^127 - 1 attoseconds.
    private static let maximumHours: UInt64 = 47_261_439_850_130_342
    private static let lastSeconds: UInt64 = 531
    private static let lastAttoseconds: UInt64 = 687_303_715_884_105_727
}
