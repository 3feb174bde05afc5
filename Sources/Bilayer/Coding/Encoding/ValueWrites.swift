import Foundation

/// `Double` or `Float`: a type with values that JSON numbers cannot represent.
protocol WritableFloatingPoint: BinaryFloatingPoint {
    /// Writes a finite value.
    func write(to segment: OutputSegment)
}

extension Double: WritableFloatingPoint {
    @inline(__always)
    func write(to segment: OutputSegment) { segment.write(self) }
}

extension Float: WritableFloatingPoint {
    @inline(__always)
    func write(to segment: OutputSegment) { segment.write(self) }
}

extension EncodingContext {
    func write(_ value: some WritableFloatingPoint, _ node: CodingPathNode, into segment: OutputSegment) throws {
        if value.isFinite { return value.write(to: segment) }
        segment.write(try text(ofNonConforming: value) { node.path(in: nil) })
    }

    /// Returns the text of an infinity or a NaN under the strategy.
    /// - Throws: An error at the path if the strategy has no text for such values. Nothing is written in this case.
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

    /// - Throws: An error at the path if the value is nested too deeply. In this case the value is already written, and
    ///   the caller must remove it.
    func write(_ json: Json, _ node: CodingPathNode, into segment: OutputSegment) throws {
        if !segment.write(json, maximumDepth: maximumDepth &- segment.level) { throw tooDeep(node) }
    }

    func write(_ value: Decimal, _ node: CodingPathNode, into segment: OutputSegment) throws {
        guard value.isFinite else {
            throw EncodingError.invalidValue(
                value,
                .init(codingPath: node.path(in: nil), debugDescription: "JSON has no NaN.")
            )
        }
        segment.write(ascii: value.description)
    }
}

// MARK: - Arrays of scalars of one type

extension EncodingContext {
    /// Writes an array. The writing of its elements runs no user code and cannot fail.
    @inline(__always)
    func writeArray<Element>(_ array: [Element], into segment: OutputSegment, _ write: (OutputSegment, Element) -> Void)
    {
        segment.write(byte: Ascii.openBracket)
        var isFirst = true
        for element in array {
            if !isFirst { segment.write(byte: Ascii.comma) }
            isFirst = false
            write(segment, element)
        }
        segment.write(byte: Ascii.closeBracket)
    }

    /// Writes an array of numbers. Infinities and NaN are written by the strategy.
    func writeArray(_ array: [Double], _ node: CodingPathNode, into segment: OutputSegment) throws {
        if array.allSatisfy(\.isFinite) { return segment.write(array) }
        segment.write(byte: Ascii.openBracket)
        for (index, element) in array.enumerated() {
            if index > 0 { segment.write(byte: Ascii.comma) }
            try unsafe withUnsafePointer(to: node) { outer in
                try write(element, unsafe CodingPathNode(in: outer, index: index), into: segment)
            }
        }
        segment.write(byte: Ascii.closeBracket)
    }
}

// MARK: - Dates and data

extension EncodingContext {
    /// Writes a date in the format of the settings.
    func write(_ date: Date, _ node: CodingPathNode, into segment: OutputSegment) throws {
        switch settings.dates {
        case .deferredToDate:
            try write(date.timeIntervalSinceReferenceDate, node, into: segment)
        case .secondsSince1970:
            try write(date.timeIntervalSince1970, node, into: segment)
        case .millisecondsSince1970:
            try write(date.timeIntervalSince1970 * 1000, node, into: segment)
        case .rfc3339:
            segment.write(try rfc3339Text(date, node, keepsFraction: true))
        case .iso8601:
            segment.write(try rfc3339Text(date, node, keepsFraction: false))
        case .formatted(let formatter):
            segment.write(formatter.string(from: date))
        case .custom(let write):
            try writeByClosure(node, into: segment) { encoder in try write(date, encoder) }
        }
    }

    /// Writes a value by the closure of a custom format. Writes `{}` if the closure writes nothing.
    private func writeByClosure(
        _ node: CodingPathNode,
        into segment: OutputSegment,
        _ write: (any Encoder) throws -> Void
    ) throws {
        if try !withEncoder(node, into: segment, write) { segment.write(literal: "{}") }
    }

    private func rfc3339Text(_ date: Date, _ node: CodingPathNode, keepsFraction: Bool) throws -> String {
        let text = RFC3339.Instant(date)
            .flatMap { instant in
                RFC3339.format(instant, fractionDigits: keepsFraction ? instant.digits(for: date) : 0)
            }
        if let text { return text }
        // The error contains a number and not the date, because printing a date that is NaN ends the process on Linux.
        throw EncodingError.invalidValue(
            date.timeIntervalSinceReferenceDate,
            .init(codingPath: node.path(in: nil), debugDescription: "RFC 3339 has only the years 0 to 9999.")
        )
    }

    /// Writes data in the format of the settings.
    func write(_ data: Data, _ node: CodingPathNode, into segment: OutputSegment) throws {
        switch settings.data {
        case .deferredToData:
            _ = try encodePlain(data, node, into: segment)
        case .base64:
            segment.write(data.base64EncodedString())
        case .custom(let write):
            try writeByClosure(node, into: segment) { encoder in try write(data, encoder) }
        }
    }
}

extension RFC3339.Instant {
    /// Makes the instant of a date; `nil` if the date is NaN, or if its seconds exceed an `Int64`.
    init?(_ date: Date) {
        let interval = date.timeIntervalSinceReferenceDate
        let seconds = interval.rounded(.down)
        guard let whole = Int64(exactly: seconds), whole < .max - 978_307_200 else { return nil }
        self.init(seconds: whole + 978_307_200, fraction: interval - seconds)
    }

    /// Returns the smallest number of fraction digits that preserves the date: 0, 3 or 6, otherwise 9.
    func digits(for date: Date) -> Int {
        for (digits, scale) in [(0, 1.0), (3, 1e3), (6, 1e6)] {
            let fraction = (fraction * scale).rounded() / scale
            if fraction < 1, Date(Self(seconds: seconds, fraction: fraction)) == date { return digits }
        }
        return 9
    }
}
