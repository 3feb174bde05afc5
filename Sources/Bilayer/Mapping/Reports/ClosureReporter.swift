import Foundation

#if canImport(os)
import os
#endif

/// A reporter made of a closure.
public struct ClosureReporter: MappingReporter {
    private let body: @Sendable (MappingReport) -> Void

    /// Makes a reporter.
    /// - Parameter body: Receives each report.
    public init(_ body: @escaping @Sendable (MappingReport) -> Void) {
        self.body = body
    }

    /// Calls the closure.
    public func report(_ report: MappingReport) {
        body(report)
    }
}

extension MappingReporter where Self == ClosureReporter {
    /// Writes each report to the system's log (category `mapping`), or on Linux to standard error. The only
    /// payload values in the text are the codes of GraphQL and JSON-RPC errors, unless the report discloses values
    /// (``MappingReport/showing(_:in:)``).
    public static var log: ClosureReporter {
        #if canImport(os)
        ClosureReporter { report in
            let text = report.description
            Logger(subsystem: "Bilayer", category: "mapping").warning("\(text, privacy: .public)")
        }
        #else
        log(to: .standardError)
        #endif
    }

    /// Writes each report to a file, followed by a newline.
    static func log(to file: FileHandle) -> ClosureReporter {
        ClosureReporter { report in file.write(Data((report.description + "\n").utf8)) }
    }

    /// Fails a test on any report, by a closure that calls the test framework.
    ///
    /// ```swift
    /// client.reporter = .failing { Issue.record("\($0)") }        // Swift Testing; `XCTFail($0)` with XCTest
    /// ```
    /// - Parameter fail: Receives the report's text.
    /// - Returns: The reporter.
    public static func failing(_ fail: @escaping @Sendable (String) -> Void) -> ClosureReporter {
        ClosureReporter { fail($0.description) }
    }
}

extension ClosureReporter: Redacted {
    /// The name of the type.
    public var description: String { typeName(Self.self) }
}
