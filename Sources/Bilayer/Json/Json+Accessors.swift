public import Foundation

// Each accessor is nil for a value of another kind, and for a number that the type cannot hold exactly.
extension Json {
    /// The text of a string.
    public var string: String? {
        switch storage {
        case .view: readView { $0.stringValue(at: $1) }
        case .written(let text): text.json.string
        case .string(let text): text
        default: nil
        }
    }

    /// The Boolean value of a `bool`. Numbers and strings are never converted to one.
    public var bool: Bool? {
        switch storage {
        case .view: readView { $0.bool(at: $1) }
        case .written(let text): text.json.bool
        case .bool(let value): value
        default: nil
        }
    }

    /// The number as an `Int`, if its value is one: `7`, `7.0` and `70e-1`, but not `7.5`.
    public var int: Int? { integer() }

    /// The number as an `Int64`, if its value is one.
    public var int64: Int64? { integer() }

    /// The number as a `UInt64`, if its value is one.
    public var uint64: UInt64? { integer() }

    /// The number as an integer of any width, if its value is one.
    func integer<Integer: FixedWidthInteger>() -> Integer? {
        switch storage {
        case .view: readView { $0.integer(at: $1) }
        case .written(let text): text.json.integer()
        case .integer(let value): Integer(exactly: value)
        default: withNumberNodes { $0.integer(at: 0) }
        }
    }

    /// The number as the nearest `Double`. Nil beyond the range of `Double`; digits beyond its precision are rounded.
    public var double: Double? {
        switch storage {
        case .view: readView { $0.double(at: $1) }
        case .written(let text): text.json.double
        case .integer(let value): Double(value)
        case .double(let value): value
        default: withNumberNodes { $0.double(at: 0) }
        }
    }

    /// The number as a `Decimal`, read from its digits, never through a `Double`. Nil if its digits do not fit in the
    /// 128 bits of a `Decimal`, or if `Decimal` cannot hold the exponent. All numbers of 38 digits fit, and some of 39.
    public var decimal: Decimal? {
        switch resolved {
        case .view(let document, let position): document.withNodes { $0.decimal(at: position) }
        case .integer(let value): Decimal(value)
        case .number(let text): JsonNumber(text: text.utf8).decimal
        default: withNumberNodes { $0.decimal(at: 0) }
        }
    }

    /// The number's own text: as it was received (`1.50`, `1E3`), or the shortest text with its value.
    public var numberText: String? {
        switch resolved {
        case .view(let document, let position):
            document.withNodes { $0.tag(at: position).isNumber ? $0.text(at: position) : nil }
        case .integer(let value): String(value)
        case .double(let value): ByteWriter.text { $0.write(value) }
        case .number(let text): text
        default: nil
        }
    }

    /// Reads a number held in code from its text, as if it had been received.
    private func withNumberNodes<Result>(_ read: (JsonNodes) -> Result?) -> Result? {
        guard let text = numberText else { return nil }
        return JsonDocument.parse(trusted: Data(text.utf8)).withNodes(read)
    }
}
