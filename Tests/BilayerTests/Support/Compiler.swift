import Foundation

/// The compiler that built these tests, set on a source text beside the modules that were just built.
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

// Only where a process can start another one.
#if os(macOS) || os(Linux)
extension Compiler {
    struct Outcome: Sendable {
        let status: Int32
        let output: String
    }

    /// Type-checks a file against the built modules.
    /// - Parameters:
    ///   - file: The file.
    ///   - arguments: More arguments for the compiler.
    /// - Returns: The compiler's status and everything it printed.
    /// - Throws: When the compiler or the modules cannot be found.
    static func typecheck(_ file: URL, _ arguments: [String] = []) throws -> Outcome {
        try run(["-typecheck", "-swift-version", "6"] + arguments + [file.path])
    }

    /// Compiles a file beside the built modules to a module of its own.
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

    private static func run(_ arguments: [String]) throws -> Outcome {
        let modules = try modules()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["swiftc", "-I", modules.path] + arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return Outcome(status: process.terminationStatus, output: String(decoding: output, as: UTF8.self))
    }

    struct NoModules: Error {}

    /// Beside the test bundle, wherever the build put it.
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
#endif
