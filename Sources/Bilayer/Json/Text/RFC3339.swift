/// Reads and writes date-times of RFC 3339 §5.6 (`2026-11-21T09:41:00.25+01:00`), without a calendar.
///
/// Reading accepts any number of fraction digits, `Z`, `z` or an offset, and `T` or `t` between date and time.
/// ``JsonDecoder/dates``, `Date(rfc3339:)` and the format `.rfc3339(acceptingSpace: true)` also accept a space instead
/// of the `T`, as RFC 3339 allows. Foundation's decoder does not. Reading accepts a leap second where UTC can have one
/// (§5.7): at 23:59:60 UTC on the last day of a month. Values out of range, such as February 30, are refused.
public enum RFC3339 {
    /// A point in time: whole seconds since 1970-01-01T00:00:00Z, and the fraction of a second after it (0 ..< 1).
    package struct Instant: Equatable, Sendable {
        package var seconds: Int64
        package var fraction: Double

        package init(seconds: Int64, fraction: Double = 0) {
            self.seconds = seconds
            self.fraction = fraction
        }
    }

    /// Returns the instant of `text`; `nil` if `text` is not an RFC 3339 date-time. `acceptingSpace` is whether a space
    /// is accepted instead of the `T`.
    package static func parse(_ text: String, acceptingSpace: Bool = true) -> Instant? {
        var text = text
        return text.withUTF8 { bytes in unsafe parse(utf8: bytes, acceptingSpace: acceptingSpace) }
    }

    /// Returns the instant of the bytes; `nil` if they are not an RFC 3339 date-time. `acceptingSpace` is whether a
    /// space is accepted instead of the `T`.
    static func parse(utf8 bytes: UnsafeBufferPointer<UInt8>, acceptingSpace: Bool) -> Instant? {
        guard bytes.count >= 20 else { return nil }
        // Bound of every fixed offset below: the count is at least 20, and the offsets are at most 18.
        var digits = Digits()
        let year = unsafe digits.pair(bytes, 0) &* 100 &+ digits.pair(bytes, 2)
        let month = unsafe digits.pair(bytes, 5)
        let day = unsafe digits.pair(bytes, 8)
        let hour = unsafe digits.pair(bytes, 11)
        let minute = unsafe digits.pair(bytes, 14)
        let second = unsafe digits.pair(bytes, 17)
        let separators =
            unsafe bytes[4] == Ascii.minus && bytes[7] == Ascii.minus && bytes[13] == Ascii.colon
            && bytes[16] == Ascii.colon
            && (bytes[10] | 0x20 == 0x74 || acceptingSpace && bytes[10] == Ascii.space)
        guard separators, digits.valid, month >= 1, month <= 12, day >= 1, hour <= 23, minute <= 59, second <= 60,
            day <= GregorianCalendar.daysInMonth(month, year: year)
        else { return nil }
        var cursor = 19
        guard let fraction = unsafe readFraction(bytes, &cursor), let offset = unsafe readOffset(bytes, &cursor),
            cursor == bytes.count
        else { return nil }
        let clock = hour &* 3600 &+ minute &* 60 &+ second
        let seconds = GregorianCalendar.daysSince1970(year: year, month: month, day: day) &* 86_400 &+ clock &- offset
        // A leap second ends the last minute of a month in UTC (RFC 3339 §5.7), so the result is the start of the next
        // month.
        if second == 60,
            seconds % 86_400 != 0 || GregorianCalendar.date(daysSince1970: seconds / 86_400).day != 1
        {
            return nil
        }
        return Instant(seconds: seconds, fraction: fraction)
    }

    /// Reads a point and at least one digit. Returns 0 if there is no point, nil if no digit follows the point. Digits
    /// after the 18th are checked but not used, because no `Date` is so precise.
    private static func readFraction(_ bytes: UnsafeBufferPointer<UInt8>, _ cursor: inout Int) -> Double? {
        guard unsafe bytes[cursor] == Ascii.point else { return 0 }
        cursor &+= 1
        let start = cursor
        var value: UInt64 = 0
        var scale = 1.0
        while cursor < bytes.count {
            let digit = unsafe bytes[cursor] &- Ascii.zero
            guard digit <= 9 else { break }
            if cursor &- start < 18 {
                value = value &* 10 &+ UInt64(digit)
                scale *= 10
            }
            cursor &+= 1
        }
        // A fraction of 18 nines would round up to 1.0, and so change the second. The greatest value below 1.0 is used
        // instead.
        return cursor == start ? nil : min(Double(value) / scale, 1.0.nextDown)
    }

    /// Reads `Z`, `z` or an offset such as `+hh:mm`. Returns the offset in seconds, positive to the east.
    private static func readOffset(_ bytes: UnsafeBufferPointer<UInt8>, _ cursor: inout Int) -> Int64? {
        guard cursor < bytes.count else { return nil }
        let sign = unsafe bytes[cursor]
        if sign | 0x20 == 0x7A {
            cursor &+= 1
            return 0
        }
        guard sign == Ascii.plus || sign == Ascii.minus, bytes.count &- cursor >= 6 else { return nil }
        var digits = Digits()
        let hours = unsafe digits.pair(bytes, cursor &+ 1)
        let minutes = unsafe digits.pair(bytes, cursor &+ 4)
        guard unsafe bytes[cursor &+ 3] == Ascii.colon, digits.valid, hours <= 23, minutes <= 59 else { return nil }
        cursor &+= 6
        let seconds = hours &* 3600 &+ minutes &* 60
        return sign == Ascii.plus ? seconds : -seconds
    }

    /// Reads pairs of digits, and stores whether all bytes were digits.
    private struct Digits {
        var valid = true

        /// Returns the number of the two digits at `offset` and `offset + 1`. Both offsets must be inside the buffer.
        @inline(__always)
        mutating func pair(_ bytes: UnsafeBufferPointer<UInt8>, _ offset: Int) -> Int64 {
            let tens = unsafe bytes[offset] &- Ascii.zero
            let ones = unsafe bytes[offset &+ 1] &- Ascii.zero
            if tens > 9 || ones > 9 { valid = false }
            return Int64(tens) &* 10 &+ Int64(ones)
        }
    }
}

// MARK: - Writing

extension RFC3339 {
    /// The length of the longest text: `9999-12-31T23:59:59.123456789Z`.
    static let maximumLength = 30

    /// Returns the text of an instant in UTC, with `fractionDigits` digits (0 to 9) after the second.
    ///
    /// Returns `nil` for a year that RFC 3339 cannot represent: one that is not 0 to 9999.
    package static func format(_ instant: Instant, fractionDigits: Int = 0) -> String? {
        // Bound: `write` writes at most `maximumLength` bytes and returns their number.
        unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: maximumLength) { buffer in
            guard let count = unsafe write(instant, fractionDigits: fractionDigits, to: buffer) else { return nil }
            return unsafe String(decoding: buffer[..<count], as: UTF8.self)
        }
    }

    /// Writes the text to the start of `buffer`, which must have at least ``maximumLength`` bytes. Returns the length
    /// of the text; nil if the year is not 0 to 9999.
    static func write(
        _ instant: Instant,
        fractionDigits: Int,
        to buffer: UnsafeMutableBufferPointer<UInt8>
    ) -> Int? {
        guard instant.seconds >= -62_167_219_200, instant.seconds <= 253_402_300_799, buffer.count >= maximumLength
        else { return nil }
        let seconds = instant.seconds
        let days = (seconds >= 0 ? seconds : seconds &- 86_399) / 86_400
        let clock = seconds &- days &* 86_400
        let (year, month, day) = GregorianCalendar.date(daysSince1970: days)
        var writer = unsafe DigitWriter(buffer: buffer)
        writer.number(year, digits: 4)
        writer.byte(Ascii.minus)
        writer.number(month, digits: 2)
        writer.byte(Ascii.minus)
        writer.number(day, digits: 2)
        writer.byte(0x54)
        writer.number(clock / 3600, digits: 2)
        writer.byte(Ascii.colon)
        writer.number(clock / 60 % 60, digits: 2)
        writer.byte(Ascii.colon)
        writer.number(clock % 60, digits: 2)
        if fractionDigits > 0 {
            writer.byte(Ascii.point)
            let digits = min(fractionDigits, 9)
            writer.number(scaled(instant.fraction, digits: digits), digits: digits)
        }
        writer.byte(0x5A)
        return writer.count
    }

    /// Returns the fraction in units of its last digit, rounded to the nearest. The result stays below one second.
    static func scaled(_ fraction: Double, digits: Int) -> Int64 {
        var scale: Int64 = 1
        for _ in 0..<digits { scale &*= 10 }
        return max(0, min(scale &- 1, Int64((fraction * Double(scale)).rounded())))
    }

    /// Writes bytes one after another. Bound: the buffer has ``maximumLength`` bytes, and `write` writes no more.
    @safe
    private struct DigitWriter {
        let buffer: UnsafeMutableBufferPointer<UInt8>
        private(set) var count = 0

        init(buffer: UnsafeMutableBufferPointer<UInt8>) { unsafe self.buffer = buffer }

        mutating func byte(_ byte: UInt8) {
            unsafe buffer[count] = byte
            count &+= 1
        }

        mutating func number(_ value: Int64, digits: Int) {
            var rest = value
            var index = count &+ digits
            while index > count {
                index &-= 1
                unsafe buffer[index] = UInt8(truncatingIfNeeded: rest % 10) &+ Ascii.zero
                rest /= 10
            }
            count &+= digits
        }
    }
}
