// Only on these platforms can a process start another one.
#if os(macOS) || os(Linux)
import Foundation

/// An executable of this package, which the build puts beside the tests. Tests start it as a user would.
struct BuiltCommand {
    struct Outcome {
        let status: Int32
        let output: String
        let errors: String
    }

    let name: String

    init(_ name: String) { self.name = name }

    func run(_ arguments: [String] = []) throws -> Outcome {
        let program = Self.buildFolder.appendingPathComponent(name)
        #if os(Linux)
        let run = try ChildProcess.run([program.path] + arguments)
        return Outcome(
            status: run.status,
            output: String(decoding: run.output, as: UTF8.self),
            errors: String(decoding: run.errors, as: UTF8.self)
        )
        #else
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        let output = Pipe()
        let errors = Pipe()
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let outputText = try text(of: output)
        let errorText = try text(of: errors)
        process.waitUntilExit()
        return Outcome(status: process.terminationStatus, output: outputText, errors: errorText)
        #endif
    }

    #if !os(Linux)
    private func text(of pipe: Pipe) throws -> String {
        String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    }
    #endif

    private static var buildFolder: URL {
        #if canImport(Darwin)
        let tests = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") } ?? Bundle.main
        return tests.bundleURL.deletingLastPathComponent()
        #else
        return URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        #endif
    }
}
#endif
