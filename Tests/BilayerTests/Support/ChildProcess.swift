#if os(Linux)
import Foundation
import Glibc

/// A program that a test starts and ends by itself.
///
/// Foundation's `Process` detects the end of a program by a socket, which programs that start at the same time inherit.
/// If one of these runs for long, the end of the others is not seen. `Process` also reads the entries of
/// `/proc/self/fd`, one for each open descriptor, beyond their end. That can crash this process. So this type waits for
/// a program by its number. The program inherits no descriptors: a shell closes all of them first.
///
/// The program ends with this process, however this process ends. A shell beside the program waits for the end of a
/// connection that only this process can write to. Then the shell kills the program.
// Sendable: what changes is only used under the lock.
final class ChildProcess: @unchecked Sendable {
    private let number: pid_t
    /// The connection to the shell beside the program. A line tells the shell that the program has ended. If the
    /// connection ends without one, the shell kills the program.
    private let lifeline: Int32
    private let lock = NSLock()
    /// The status as a shell states it: the exit code, or 128 plus the number of the signal. `nil` before the end.
    private var status: Int32?

    struct CannotStart: Error {}

    /// - Parameters:
    ///   - command: The program's path and its arguments.
    ///   - folder: Where it runs.
    ///   - output: The file for what it prints.
    ///   - errors: The file for its errors, which may be the same one; `nil` for none.
    /// - Throws: `CannotStart` if the system starts no program.
    init(_ command: [String], in folder: URL, output: URL, errors: URL? = nil) throws {
        let script = """
            cd "$1" && exec >"$2" || exit 127
            if [ "$3" = "$2" ]; then exec 2>&1; else exec 2>"$3"; fi
            shift 3
            for file in /proc/self/fd/*; do number=${file##*/}; if [ "$number" -gt 2 ]; then exec {number}>&-; fi; done
            ( { read -r line || kill -KILL $$; } <&0 >/dev/null 2>&1 & )
            exec "$@" </dev/null
            """
        let arguments =
            ["/bin/bash", "-c", script, "bash", folder.path, output.path, errors?.path ?? "/dev/null"] + command
        // Bound: each word is a terminated copy that lives until the call has returned, and the list ends with nil.
        var words: [UnsafeMutablePointer<CChar>?] = unsafe arguments.map { unsafe strdup($0) } + [nil]
        defer { unsafe words.forEach { unsafe free($0) } }
        var ends: [Int32] = [0, 0]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        // Bound: the list has the two elements that the call writes.
        guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw CannotStart() }
        lifeline = ends[1]
        defer { close(ends[0]) }
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, ends[0], 0)
        var number: pid_t = 0
        let result = unsafe posix_spawn(&number, "/bin/bash", &actions, nil, &words, environ)
        guard result == 0 else {
            close(ends[1])
            throw CannotStart()
        }
        self.number = number
    }

    /// Ends the connection as the end of this process does, so that the shell kills the program.
    func abandon() { shutdown(lifeline, Int32(SHUT_WR)) }

    /// Kills the program, and waits for its end.
    func kill() {
        lock.withLock { if status == nil { _ = Glibc.kill(number, SIGKILL) } }
        waitForEnd()
    }

    deinit {
        if status == nil { _ = Glibc.kill(number, SIGKILL) }
        waitForEnd()
        // The number may be another program's from now on.
        // Bound: one byte of the text. The shell may be gone.
        _ = unsafe send(lifeline, "\n", 1, Int32(MSG_NOSIGNAL))
        close(lifeline)
    }

    /// Waits until the program has ended.
    /// - Returns: Its status.
    @discardableResult
    func waitForEnd() -> Int32 {
        lock.withLock {
            // The number may be another program's after the end.
            if let status { return status }
            var word: Int32 = 0
            while unsafe waitpid(number, &word, 0) < 0, errno == EINTR {}
            let status = word & 0x7f == 0 ? word >> 8 & 0xff : 128 + word & 0x7f
            self.status = status
            return status
        }
    }

    /// Whether the program has ended.
    var hasEnded: Bool {
        lock.withLock {
            if status != nil { return true }
            var word: Int32 = 0
            guard unsafe waitpid(number, &word, WNOHANG) == number else { return false }
            status = word & 0x7f == 0 ? word >> 8 & 0xff : 128 + word & 0x7f
            return true
        }
    }

    /// Runs a program to its end and gives what it printed.
    static func output(of command: [String]) throws -> Data { try run(command).output }
}

extension ChildProcess {
    /// What came of a program.
    struct Outcome: Sendable {
        let status: Int32
        let output: Data
        let errors: Data
    }

    /// Runs a program to its end.
    /// - Parameters:
    ///   - command: The program's path and its arguments.
    ///   - joinsErrors: Whether its errors are a part of the output.
    /// - Returns: Its status and what it printed.
    /// - Throws: `CannotStart`, or the error of a file.
    static func run(_ command: [String], joiningErrors joinsErrors: Bool = false) throws -> Outcome {
        let folder = FileManager.default.temporaryDirectory.appending(path: "program-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let output = folder.appending(path: "output")
        let errors = joinsErrors ? output : folder.appending(path: "errors")
        let place = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
        let status = try ChildProcess(command, in: place, output: output, errors: errors).waitForEnd()
        return Outcome(
            status: status,
            output: try Data(contentsOf: output),
            errors: joinsErrors ? Data() : try Data(contentsOf: errors)
        )
    }
}
#endif
