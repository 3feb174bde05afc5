import Foundation

/// `Double` and `Float`: the types whose values JSON cannot always spell.
protocol WritableFloatingPoint: BinaryFloatingPoint {
    /// Writes a finite value.
    func write(to sink: OutputSegment)
}

extension Double: WritableFloatingPoint {
    @inline(__always)
    func write(to sink: OutputSegment) { sink.write(self) }
}

extension Float: WritableFloatingPoint {
    @inline(__always)
    func write(to sink: OutputSegment) { sink.write(self) }
}

extension EncodingContext {
    func write(_ value: some WritableFloatingPoint, _ place: CodingPathNode, into sink: OutputSegment) throws {
        if value.isFinite { return value.write(to: sink) }
        sink.write(try text(ofNonConforming: value) { place.path(in: nil) })
    }

    /// The text of an infinity or a NaN by the strategy.
    /// - Throws: An error at the path if there is none; then nothing was written.
    @inline(never)
    func text(ofNonConforming value: some WritableFloatingPoint, at path: () -> [any CodingKey]) throws -> String {
        guard case .convertToString(let positive, let negative, let nan) = settings.nonConformingFloats else {
            throw EncodingError.invalidValue(
                value,
                .init(codingPath: path(), debugDescription: "JSON has no infinities and no NaN.")
            )
        }
        return value.isNaN ? nan : value > 0 ? positive : negative
    }

    func write(_ value: Decimal, _ place: CodingPathNode, into sink: OutputSegment) throws {
        guard value.isFinite else {
            throw EncodingError.invalidValue(
                value,
                .init(codingPath: place.path(in: nil), debugDescription: "JSON has no NaN.")
            )
        }
        sink.write(ascii: value.description)
    }
}

// MARK: - Arrays of one sort of scalar

extension EncodingContext {
    /// Writes an array whose elements run no user code and cannot fail.
    @inline(__always)
    func writeArray<Element>(_ array: [Element], into sink: OutputSegment, _ write: (OutputSegment, Element) -> Void) {
        sink.write(byte: Ascii.openBracket)
        var isFirst = true
        for element in array {
            if !isFirst { sink.write(byte: Ascii.comma) }
            isFirst = false
            write(sink, element)
        }
        sink.write(byte: Ascii.closeBracket)
    }

    /// Writes an array of numbers some of which JSON may not be able to spell.
    func writeArray(_ array: [Double], _ place: CodingPathNode, into sink: OutputSegment) throws {
        if array.allSatisfy(\.isFinite) { return sink.write(array) }
        sink.write(byte: Ascii.openBracket)
        for (index, element) in array.enumerated() {
            if index > 0 { sink.write(byte: Ascii.comma) }
            try unsafe withUnsafePointer(to: place) { outer in
                try write(element, unsafe CodingPathNode(in: outer, index: index), into: sink)
            }
        }
        sink.write(byte: Ascii.closeBracket)
    }
}

// MARK: - Dates and data

extension EncodingContext {
    /// Writes a date by the strategy; false if a closure wrote nothing.
    func write(_ date: Date, _ place: CodingPathNode, into sink: OutputSegment) throws -> Bool {
        switch settings.dates {
        case .deferredToDate:
            try write(date.timeIntervalSinceReferenceDate, place, into: sink)
        case .secondsSince1970:
            try write(date.timeIntervalSince1970, place, into: sink)
        case .millisecondsSince1970:
            try write(date.timeIntervalSince1970 * 1000, place, into: sink)
        case .rfc3339:
            sink.write(try rfc3339Text(date, place, keepsFraction: true))
        case .iso8601:
            sink.write(try rfc3339Text(date, place, keepsFraction: false))
        case .formatted(let formatter):
            sink.write(formatter.string(from: date))
        case .custom(let write):
            return try withEncoder(place, into: sink) { encoder in try write(date, encoder) }
        }
        return true
    }

    private func rfc3339Text(_ date: Date, _ place: CodingPathNode, keepsFraction: Bool) throws -> String {
        let text = RFC3339.Instant(date)
            .flatMap { instant in
                RFC3339.format(instant, fractionDigits: keepsFraction ? instant.digits(for: date) : 0)
            }
        if let text { return text }
        // Not the date itself: printing one that is not a number ends the process on Linux.
        throw EncodingError.invalidValue(
            date.timeIntervalSinceReferenceDate,
            .init(codingPath: place.path(in: nil), debugDescription: "RFC 3339 has only the years 0 to 9999.")
        )
    }

    /// Writes data by the strategy; false if a closure wrote nothing.
    func write(_ data: Data, _ place: CodingPathNode, into sink: OutputSegment) throws -> Bool {
        switch settings.data {
        case .deferredToData:
            return try encodePlain(data, place, into: sink)
        case .base64:
            sink.write(data.base64EncodedString())
            return true
        case .custom(let write):
            return try withEncoder(place, into: sink) { encoder in try write(data, encoder) }
        }
    }
}

extension RFC3339.Instant {
    /// The instant of a date; nil if it is no number, or too far away for whole seconds.
    init?(_ date: Date) {
        let interval = date.timeIntervalSinceReferenceDate
        let seconds = interval.rounded(.down)
        guard let whole = Int64(exactly: seconds), whole < .max - 978_307_200 else { return nil }
        self.init(seconds: whole + 978_307_200, fraction: interval - seconds)
    }

    /// The fewest fraction digits, in threes, that read back as the same date; nine at most.
    func digits(for date: Date) -> Int {
        for (digits, scale) in [(0, 1.0), (3, 1e3), (6, 1e6)] {
            let fraction = (fraction * scale).rounded() / scale
            if fraction < 1, Date(Self(seconds: seconds, fraction: fraction)) == date { return digits }
        }
        return 9
    }
}
