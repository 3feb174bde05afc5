#if os(Linux)
import Foundation
import Glibc

/// A program that a test starts and ends by itself.
///
/// Foundation's `Process` learns of an end by a socket that programs inherit which are started at the same time. One
/// that runs for long would keep the ends of the others secret. So this one is waited for by its number, and inherits
/// nothing: a shell closes all descriptors first.
// Sendable: what changes is only used under the lock.
final class ChildProcess: @unchecked Sendable {
    private let number: pid_t
    private let lock = NSLock()
    private var hasEnded = false

    struct CannotStart: Error {}

    /// - Parameters:
    ///   - command: The program's path and its arguments.
    ///   - folder: Where it runs.
    ///   - output: The file for what it prints.
    /// - Throws: `CannotStart` if the system starts no program.
    init(_ command: [String], in folder: URL, output: URL) throws {
        let script = """
            cd "$1" && exec >"$2" 2>/dev/null </dev/null && shift 2
            for file in /proc/self/fd/*; do number=${file##*/}; if [ "$number" -gt 2 ]; then exec {number}>&-; fi; done
            exec "$@"
            """
        let arguments = ["/bin/bash", "-c", script, "bash", folder.path, output.path] + command
        // Bound: each word is a terminated copy that lives until the call has returned, and the list ends with nil.
        var words: [UnsafeMutablePointer<CChar>?] = unsafe arguments.map { unsafe strdup($0) } + [nil]
        defer { unsafe words.forEach { unsafe free($0) } }
        var number: pid_t = 0
        let result = unsafe posix_spawn(&number, "/bin/bash", nil, nil, &words, environ)
        guard result == 0 else { throw CannotStart() }
        self.number = number
    }

    deinit {
        if !hasEnded { kill(number, SIGKILL) }
        waitForEnd()
    }

    /// Waits until the program has ended.
    func waitForEnd() {
        lock.withLock {
            // The number may be another program's after the end.
            if hasEnded { return }
            var status: Int32 = 0
            while unsafe waitpid(number, &status, 0) < 0, errno == EINTR {}
            hasEnded = true
        }
    }

    /// Runs a program to its end and gives what it printed.
    static func output(of command: [String]) throws -> Data {
        let folder = FileManager.default.temporaryDirectory
        let output = folder.appending(path: "output-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: output) }
        try ChildProcess(command, in: folder, output: output).waitForEnd()
        return try Data(contentsOf: output)
    }
}
#endif
