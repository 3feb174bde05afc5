import Foundation

/// Runs the Swift compiler on files, with the modules that were just built.
enum Compiler {
    /// The repository's top folder.
    static var repository: URL {
        var folder = URL(fileURLWithPath: #filePath)
        while folder.pathComponents.count > 1 {
            folder.deleteLastPathComponent()
            if FileManager.default.fileExists(atPath: folder.appendingPathComponent("Package.swift").path) { break }
        }
        return folder
    }
}

// Only on these platforms can a process start another one.
#if os(macOS) || os(Linux)
extension Compiler {
    struct Outcome: Sendable {
        let status: Int32
        let output: String
    }

    /// Type-checks files as one module, in one process, against the built modules.
    /// - Parameters:
    ///   - files: The files.
    ///   - arguments: More arguments for the compiler.
    /// - Returns: The compiler's status and everything it printed.
    /// - Throws: `NoModules` if the modules cannot be found. Also when the process cannot be started, or its output
    ///   cannot be read.
    static func typecheck(_ files: [URL], _ arguments: [String] = []) throws -> Outcome {
        try run(["-typecheck", "-wmo", "-swift-version", "6"] + arguments + files.map(\.path))
    }

    /// Compiles a file to a module of its own. The file can import the built modules.
    static func emitModule(
        _ name: String,
        from file: URL,
        into folder: URL,
        _ arguments: [String] = []
    ) throws -> Outcome {
        let output = folder.appendingPathComponent("\(name).swiftmodule").path
        let options = ["-emit-module", "-parse-as-library", "-swift-version", "6", "-module-name", name, "-o", output]
        return try run(options + arguments + [file.path])
    }

    /// Runs the compiler. The compiled files can import the built modules.
    static func run(_ arguments: [String]) throws -> Outcome {
        let command = ["/usr/bin/env", "swiftc", "-I", try modules().path] + arguments
        #if os(Linux)
        let run = try ChildProcess.run(command, joiningErrors: true)
        return Outcome(status: run.status, output: String(decoding: run.output, as: UTF8.self))
        #else
        let process = Process()
        process.executableURL = URL(fileURLWithPath: command[0])
        process.arguments = Array(command.dropFirst())
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return Outcome(status: process.terminationStatus, output: String(decoding: output, as: UTF8.self))
        #endif
    }

    /// Runs a body with a folder that exists only as long as the body runs.
    static func inTemporaryFolder<Value>(_ body: (URL) async throws -> Value) async throws -> Value {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("compiler-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await body(folder)
    }

    struct NoModules: Error {}

    /// The folder of the built modules, which is near the test bundle.
    static func modules() throws -> URL {
        var candidates = CommandLine.arguments.prefix(1).map { URL(fileURLWithPath: $0) }
        candidates += Bundle.allBundles.map(\.bundleURL)
        for start in candidates {
            var folder = start
            for _ in 0..<6 {
                folder.deleteLastPathComponent()
                let modules = folder.appendingPathComponent("Modules")
                if FileManager.default.fileExists(atPath: modules.appendingPathComponent("Bilayer.swiftmodule").path) {
                    return modules
                }
            }
        }
        throw NoModules()
    }
}

extension Compiler {
    /// An error of the compiler.
    struct Diagnostic: Sendable {
        let file: String
        let line: Int
        let message: String
        /// The error as printed, with the code around it and the notes that belong to it.
        fileprivate(set) var text: String
    }
}

extension Compiler.Diagnostic {
    fileprivate init?(headline: Substring) {
        let parts = headline.split(separator: ":", maxSplits: 4)
        guard parts.count == 5, parts[3] == " error", let line = Int(parts[1]) else { return nil }
        self.init(file: String(parts[0]), line: line, message: String(parts[4]), text: String(headline))
    }
}

extension Compiler.Outcome {
    /// The errors in the output: what starts with `file:line:column: error:` and goes up to the next of these.
    var errors: [Compiler.Diagnostic] {
        var errors: [Compiler.Diagnostic] = []
        for text in output.split(separator: "\n") {
            if let error = Compiler.Diagnostic(headline: text) {
                errors.append(error)
            } else if !errors.isEmpty {
                errors[errors.count - 1].text += "\n\(text)"
            }
        }
        return errors
    }
}
#endif
