// Only where a process can start another one.
#if os(macOS) || os(Linux)
import Foundation
import Testing

/// Code that must not compile, each file with the errors that it must give.
@Suite("Tests/CompileFail")
struct CompileFailTests {
    static var files: [String] {
        let folder = Compiler.repository.appendingPathComponent("Tests/CompileFail").path
        return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { $0.hasSuffix(".swift") }
    }

    @Test func thereAreFiles() {
        #expect(Self.files.count >= 3)
    }

    @Test(arguments: files) func givesExactlyItsErrors(file: String) throws {
        let url = Compiler.repository.appendingPathComponent("Tests/CompileFail/\(file)")
        let outcome = try Compiler.typecheck([url], ["-Xfrontend", "-verify", "-Xfrontend", "-verify-ignore-unrelated"])
        #expect(outcome.status == 0, "\(outcome.output)")
        #expect(try String(contentsOf: url, encoding: .utf8).contains("expected-error"))
    }
}
#endif
