import Foundation

#if canImport(os)
import os
#endif

/// Receives the reports of a ``Migrator``.
///
/// Shadow calls report outside of the caller's call; a fallback reports in it, so return soon.
public struct DifferenceReporter: Sendable {
    private let receive: @Sendable (MigrationReport) -> Void

    /// Makes a reporter of a closure.
    /// - Parameter receive: Receives each report.
    public init(_ receive: @escaping @Sendable (MigrationReport) -> Void) {
        self.receive = receive
    }

    /// Drops every report. The calls are still counted (``Migrator/tally(of:)``).
    public static let none = DifferenceReporter { _ in }

    /// Writes each report to the system's log (category `migration`), on Linux to standard error.
    public static var log: DifferenceReporter {
        DifferenceReporter { report in
            let text = report.description
            #if canImport(os)
            Logger(subsystem: "Bilayer", category: "migration").warning("\(text, privacy: .public)")
            #else
            FileHandle.standardError.write(Data((text + "\n").utf8))
            #endif
        }
    }

    func report(_ report: MigrationReport) { receive(report) }
}

extension DifferenceReporter: Redacted {}
