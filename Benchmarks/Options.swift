/// The options of the command line.
struct Options: Equatable {
    var suites = Suite.allCases
    var corporaFolder: String?
    var filter: String?
    var rounds = 11
    var largestBody = 64 << 20
    /// The number of untimed runs of each selected row, for an instruction counter. `nil` times the rows instead.
    var iterations: Int?
    var jsonFile: String?
    var compareFile: String?
    var chartFile: String?
    var wantsHelp = false

    init(arguments: [String]) throws {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts[0] != "--help", parts[0] != "-h" else {
                wantsHelp = true
                continue
            }
            guard let option = Option(rawValue: parts[0]) else {
                throw UsageError(
                    parts[0].hasPrefix("-") ? "unknown option \(parts[0])" : "unexpected argument \(parts[0])"
                )
            }
            guard let value = parts.count > 1 ? parts[1] : rest.popFirst(), !value.isEmpty else {
                throw UsageError("\(option.rawValue) needs a value")
            }
            try set(option, to: value)
        }
    }

    private mutating func set(_ option: Option, to value: String) throws {
        switch option {
        case .corpora: corporaFolder = value
        case .suite: suites = try Self.suites(named: value)
        case .filter: filter = value
        case .rounds: rounds = try Self.positive(value, option)
        case .largestBody: largestBody = try Self.positive(value, option) << 10
        case .iterations: iterations = try Self.positive(value, option)
        case .json: jsonFile = value
        case .compare: compareFile = value
        case .chart: chartFile = value
        }
    }

    private static func suites(named list: String) throws -> [Suite] {
        try list.split(separator: ",")
            .map { name in
                guard let suite = Suite(rawValue: String(name)) else {
                    let known = Suite.allCases.map(\.rawValue).joined(separator: ", ")
                    throw UsageError("--suite: no suite is named \(name); there are \(known)")
                }
                return suite
            }
    }

    private static func positive(_ text: String, _ option: Option) throws -> Int {
        guard let number = Int(text), (1...1_000_000_000).contains(number) else {
            throw UsageError("\(option.rawValue): \(text) is not a whole number from 1 to 1000000000")
        }
        return number
    }
}

private enum Option: String {
    case corpora = "--corpora"
    case suite = "--suite"
    case filter = "--filter"
    case rounds = "--rounds"
    case largestBody = "--largest-body"
    case iterations = "--iterations"
    case json = "--json"
    case compare = "--compare"
    case chart = "--chart"
}

/// The error of an invalid command line, or of a file that it names.
struct UsageError: Error, Equatable, CustomStringConvertible {
    /// `EX_USAGE` of sysexits.h.
    static let exitCode: Int32 = 64

    let description: String

    init(_ description: String) {
        self.description = description
    }
}
