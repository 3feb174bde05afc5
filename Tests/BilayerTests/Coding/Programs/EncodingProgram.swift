import Foundation

// Random programs of container calls, some of which fail, for any encoder. What a program does depends on nothing but
// the program.

/// A value that a program writes.
indirect enum ProgramValue: Encodable {
    case null
    case number(Int)
    case text(String)
    /// Fails for a number that is not finite, unless the encoder has strings for such numbers.
    case ratio(Double)
    /// Written by a closure (``ProgramValue/encode(date:to:)``), which may fail.
    case date(Int)
    case list([ProgramValue])
    case ratios([Double])
    case table([String: ProgramValue])
    case optional(ProgramValue)
    case body(ProgramBody)

    func encode(to encoder: any Encoder) throws {
        switch self {
        case .null: try Int?.none.encode(to: encoder)
        case .number(let value): try value.encode(to: encoder)
        case .text(let value): try value.encode(to: encoder)
        case .ratio(let value): try value.encode(to: encoder)
        case .date(let seconds):
            var container = encoder.singleValueContainer()
            try container.encode(Date(timeIntervalSinceReferenceDate: Double(seconds)))
        case .list(let values): try values.encode(to: encoder)
        case .ratios(let values): try values.encode(to: encoder)
        case .table(let values):
            var container = encoder.singleValueContainer()
            try container.encode(values)
        case .optional(let value): try Optional(value).encode(to: encoder)
        case .body(let body): try body.encode(to: encoder)
        }
    }

    /// The strategy for dates: one in four writes a part and fails, one writes nothing.
    static func encode(date: Date, to encoder: any Encoder) throws {
        switch Int(date.timeIntervalSinceReferenceDate) % 4 {
        case 0: try date.timeIntervalSinceReferenceDate.encode(to: encoder)
        case 1:
            var container = encoder.container(keyedBy: ProgramKey.self)
            try container.encode(1, forKey: .a)
        case 2:
            var container = encoder.container(keyedBy: ProgramKey.self)
            try container.encode(1, forKey: .a)
            throw ProgramFailure()
        default: break
        }
    }
}

/// What a program throws.
struct ProgramFailure: Error {}

/// A value with an `encode(to:)` of its own.
struct ProgramBody: Encodable {
    enum Form {
        case few, many, any, unkeyed, single, nothing
    }

    var form: Form
    var steps: [ProgramStep]

    func encode(to encoder: any Encoder) throws {
        guard let machine = encoder.userInfo[.machine] as? ProgramMachine else { throw ProgramFailure() }
        try machine.run(self, encoder)
    }
}

/// One call, or a few that belong together.
enum ProgramStep {
    /// Writes a value. With `isOuter`, the container may be any that was handed out so far. Otherwise it is one of the
    /// running body's own containers.
    case write(target: Int, isOuter: Bool, key: Int, ProgramValue, ProgramRecovery)
    case nested(target: Int, isOuter: Bool, key: Int, ProgramBody.Form)
    /// Requests a super encoder, to be used later or not at all.
    case superEncoder(target: Int, isOuter: Bool, key: Int?)
    case use(ProgramValue, ProgramRecovery)
    /// Requests a super encoder and uses it at once.
    case superNow(target: Int, key: Int?, ProgramValue?)
    /// Requests the body's own container again, perhaps by another key type.
    case again(ProgramBody.Form)
    case fail
}

/// What a program does after the error of a call: throws it again, goes on, or writes another value.
enum ProgramRecovery {
    case none
    case ignoring
    case writing(ProgramValue)
}

extension CodingUserInfoKey {
    static let machine = CodingUserInfoKey(rawValue: "machine") ?? { preconditionFailure() }()
}

/// A key that is a case of a small enum.
enum ProgramKey: String, CodingKey, CaseIterable {
    case a, b, firstName
    case superName = "super"
}

/// A key type of one byte. It has 256 values, more than the 64 for which the encoder has a bit each.
struct ProgramByteKey: CodingKey {
    let number: UInt8

    init(number: UInt8) { self.number = number }
    init?(stringValue: String) {
        guard let number = UInt8(stringValue.dropFirst()) else { return nil }
        self.number = number
    }
    init?(intValue: Int) { nil }

    var stringValue: String { number == 0 ? "a" : "n\(number)" }
    var intValue: Int? { nil }
}

/// A key of any name.
struct ProgramAnyKey: CodingKey {
    let stringValue: String

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }

    var intValue: Int? { nil }
}
