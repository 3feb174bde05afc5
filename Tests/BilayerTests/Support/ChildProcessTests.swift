#if os(Linux)
import Foundation
import Testing

@Suite("Programs that tests start")
struct ChildProcessTests {
    private func start(_ command: [String]) throws -> (process: ChildProcess, output: URL) {
        let folder = FileManager.default.temporaryDirectory
        let output = folder.appending(path: "child-\(UUID().uuidString)")
        return (try ChildProcess(command, in: folder, output: output), output)
    }

    @Test func aProgramEndsWithTheProcessThatHasStartedIt() throws {
        let (process, output) = try start(["/bin/sleep", "1000"])
        defer { try? FileManager.default.removeItem(at: output) }
        #expect(!process.hasEnded)
        process.abandon()
        #expect(process.waitForEnd() == 128 + SIGKILL)
    }

    @Test func aProgramThatEndsByItselfKeepsItsStatus() throws {
        let (process, output) = try start(["/bin/bash", "-c", "echo done; exit 3"])
        defer { try? FileManager.default.removeItem(at: output) }
        #expect(process.waitForEnd() == 3)
        #expect(try String(contentsOf: output, encoding: .utf8) == "done\n")
    }
}
#endif
