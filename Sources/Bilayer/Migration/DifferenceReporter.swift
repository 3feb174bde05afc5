import Foundation

#if canImport(os)
import os
#endif

/// Receives the reports of a ``Migrator``.
///
/// A shadow call calls the reporter from its own task. A fallback, or a write whose new source failed, calls it during
/// the app's call. So the reporter should return soon.
public struct DifferenceReporter: Sendable {
    private let receive: @Sendable (MigrationReport) -> Void

    /// Makes a reporter that calls a closure.
    /// - Parameter receive: Called with each report.
    public init(_ receive: @escaping @Sendable (MigrationReport) -> Void) {
        self.receive = receive
    }

    /// Ignores all reports. The calls are still counted (``Migrator/tally(of:)``).
    public static let none = DifferenceReporter { _ in }

    /// Writes each report to the system's log (category `migration`). On Linux it writes to standard error.
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
