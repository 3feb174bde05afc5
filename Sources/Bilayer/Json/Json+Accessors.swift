public import Foundation

// Each accessor is nil for a value of another type. Integer and decimal accessors are also nil for a number that their
// type cannot hold exactly. `double` rounds to the nearest value.
extension Json {
    /// The text of a string; `nil` for a value of another type.
    public var string: String? {
        switch storage {
        case .view: readView { $0.stringValue(at: $1) }
        case .written(let text): text.json.string
        case .string(let text): text
        default: nil
        }
    }

    /// The Boolean value of `true` or `false`; `nil` for a value of another type. Numbers and strings are never
    /// converted.
    public var bool: Bool? {
        switch storage {
        case .view: readView { $0.bool(at: $1) }
        case .written(let text): text.json.bool
        case .bool(let value): value
        default: nil
        }
    }

    /// The number as an `Int`; `nil` if the value is not an integer or does not fit. `7`, `7.0` and `70e-1` are 7;
    /// `7.5` is `nil`.
    public var int: Int? { integer() }

    /// The number as an `Int64`; `nil` if the value is not an integer or does not fit.
    public var int64: Int64? { integer() }

    /// The number as a `UInt64`; `nil` if the value is not an integer or does not fit.
    public var uint64: UInt64? { integer() }

    /// Returns the number as an integer of the requested type; nil if the value is not an integer or does not fit.
    func integer<Integer: FixedWidthInteger>() -> Integer? {
        switch storage {
        case .view: readView { $0.integer(at: $1) }
        case .written(let text): text.json.integer()
        case .integer(let value): Integer(exactly: value)
        default: withNumberNodes { $0.integer(at: 0) }
        }
    }

    /// The number as the nearest `Double`; `nil` if the value is not a number or exceeds the range of `Double`.
    public var double: Double? {
        switch storage {
        case .view: readView { $0.double(at: $1) }
        case .written(let text): text.json.double
        case .integer(let value): Double(value)
        case .double(let value): value
        default: withNumberNodes { $0.double(at: 0) }
        }
    }

    /// The number as a `Decimal`, read from its digits, never through a `Double`. It is `nil` if the value is not a
    /// number, if `Decimal` cannot hold the exponent, or if the digits do not fit into the 128 bits of a `Decimal`. Up
    /// to 38 significant digits always fit, and 39 in some numbers.
    public var decimal: Decimal? {
        switch resolved {
        case .view(let document, let position): document.withNodes { $0.decimal(at: position) }
        case .integer(let value): Decimal(value)
        case .number(let text): JsonNumber(text: text.utf8).decimal
        default: withNumberNodes { $0.decimal(at: 0) }
        }
    }

    /// The text of a number; `nil` for a value of another type. A received number has its received text (`1.50`,
    /// `1E3`). A number made from a `Double` or a `Float` has the fewest digits that read back as an equal value. Other
    /// numbers made in code have all their digits.
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

    /// Reads a number made in code from its text, as if the text had been received.
    private func withNumberNodes<Result>(_ read: (JsonNodes) -> Result?) -> Result? {
        guard let text = numberText else { return nil }
        return JsonDocument.parse(trusted: Data(text.utf8)).withNodes(read)
    }
}
