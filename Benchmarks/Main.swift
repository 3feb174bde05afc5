import Foundation

@main
enum Main {
    static func main() async {
        do {
            let options = try Options(arguments: Array(CommandLine.arguments.dropFirst()))
            if options.wantsHelp {
                print(usage)
            } else {
                try await run(options)
            }
        } catch let error as UsageError {
            fail("\(error)\nTry --help.", exitCode: UsageError.exitCode)
        } catch {
            fail("\(error)", exitCode: 1)
        }
    }

    private static func run(_ options: Options) async throws {
        let corpora = try Corpora(folder: options.corporaFolder)
        if let iterations = options.iterations {
            return try await runUntimed(options, corpora, iterations: iterations)
        }
        let earlier = try options.compareFile.map(readRows)
        let measurements = try await measure(options, corpora)
        if let file = options.jsonFile { try write(measurements.map(\.row), to: file) }
        if let file = options.chartFile { try write(chart(of: measurements.map(\.row)), to: file) }
        if let earlier { print(comparison(of: measurements.map(\.row), with: earlier)) }
    }

    /// Measures the selected suites, and prints the table of each suite when it is complete. It does not run on the
    /// main actor: from there, each call of a chain would change threads on its way out and back.
    @concurrent
    private static func measure(_ options: Options, _ corpora: Corpora) async throws -> [Measurement] {
        let progress = Progress()
        let harness = Harness(rounds: options.rounds, progress: progress)
        var all: [Measurement] = []
        for suite in options.suites {
            var measurements: [Measurement] = []
            for task in try selectedCases(of: suite, options, corpora, keepingFoundation: true) {
                measurements += try await harness.measure(task)
            }
            progress.clear()
            if !measurements.isEmpty { print(table(of: measurements, title: suite.rawValue)) }
            all += measurements
        }
        guard !all.isEmpty else { throw UsageError("--filter: no row contains \(options.filter ?? "")") }
        return all
    }

    private static func runUntimed(_ options: Options, _ corpora: Corpora, iterations: Int) async throws {
        for suite in options.suites {
            for task in try selectedCases(of: suite, options, corpora, keepingFoundation: false) {
                for contender in task.contenders {
                    try await countInstructions(of: contender, iterations: iterations)
                    print(task.path(of: contender))
                }
            }
        }
    }

    private static func selectedCases(
        of suite: Suite,
        _ options: Options,
        _ corpora: Corpora,
        keepingFoundation: Bool
    ) throws -> [Case] {
        try suite.cases(corpora, largestBody: options.largestBody)
            .compactMap { $0.filtered(by: options.filter, keepingFoundation: keepingFoundation) }
    }

    private static func fail(_ message: String, exitCode: Int32) -> Never {
        FileHandle.standardError.write(Data("Benchmarks: \(message)\n".utf8))
        exit(exitCode)
    }
}
