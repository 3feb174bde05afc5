// Only on these platforms can a process start another one.
#if os(macOS) || os(Linux)
import Foundation
import Testing

/// Code that must not compile: each mistake has a comment with the errors that it must give. The files are one module.
/// `App.swift` declares the app's types that the other files use.
@Suite("Tests/CompileFail")
struct CompileFailTests {
    private static let files: [URL] = {
        let folder = Compiler.repository.appendingPathComponent("Tests/CompileFail")
        let found = try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return (found ?? []).filter { $0.pathExtension == "swift" }
    }()

    @Test func everyFileButTheAppExpectsErrors() throws {
        #expect(Self.files.count >= 15)
        for file in Self.files where file.lastPathComponent != "App.swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            #expect(text.contains("// expected-error"), "\(file.lastPathComponent)")
        }
    }

    @Test func givesExactlyTheExpectedErrors() throws {
        let verify = ["-verify", "-verify-ignore-unrelated"].flatMap { ["-Xfrontend", $0] }
        let outcome = try Compiler.typecheck(Self.files, ["-parse-as-library", "-suppress-warnings"] + verify)
        #expect(outcome.status == 0, "\(outcome.output)")
    }
}
#endif
