public import Bilayer

extension TransportConformance {
    /// The outcomes of all rows. Its description is a table.
    public struct Report: Sendable, Redacted {
        /// A row and its outcome.
        public struct Line: Sendable, Redacted {
            /// The name of the row.
            public let row: String
            /// The outcome of the row.
            public let outcome: Outcome

            /// The name and the outcome of the row.
            public var description: String { "\(row): \(outcome)" }
        }

        /// All rows, also skipped ones, in the order in which they ran.
        public let lines: [Line]

        /// The names of the rows whose promises do not hold.
        public var deviations: [String] {
            lines.compactMap { line in
                if case .deviates = line.outcome { line.row } else { nil }
            }
        }

        /// One line for each row.
        public var description: String {
            let width = lines.map(\.row.count).max() ?? 0
            return
                lines.map { line in
                    "\(line.row)\(String(repeating: " ", count: width - line.row.count)) | \(line.outcome)"
                }
                .joined(separator: "\n")
        }
    }
}
