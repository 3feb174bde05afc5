import Foundation
import Testing

@testable import Bilayer

@Suite("ClosureReporter")
struct ClosureReporterTests {
    @Test("a log has one report after another, each as it is printed, without payload values")
    func log() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        #expect(FileManager.default.createFile(atPath: file.path, contents: nil))
        defer { try? FileManager.default.removeItem(at: file) }
        let handle = try FileHandle(forWritingTo: file)
        let collected = CollectingReporter()
        for reporter in [ClosureReporter.log(to: handle), ClosureReporter { collected.report($0) }] {
            for name in ["First", "Second"] {
                try reporter.mapping(name) {
                    try MappingIssue(.usedDefault, path: [.key("secret")], found: .init(type: "string")).reportOrThrow()
                }
            }
        }
        try handle.close()
        let expected = collected.reports.map { "\($0)\n" }.joined()
        #expect(try String(contentsOf: file, encoding: .utf8) == expected)
        #expect(expected.contains("$.secret"))
    }

    @Test("what fails a test gets the report's text")
    func failing() async throws {
        let collected = CollectingReporter()
        try ClosureReporter { collected.report($0) }.mapping { MappingIssue(.usedDefault, path: [.key("a")]).report() }
        await confirmation { failed in
            let reporter = ClosureReporter.failing { text in
                #expect(text.contains("$.a"))
                failed()
            }
            for report in collected.reports { reporter.report(report) }
        }
    }
}
