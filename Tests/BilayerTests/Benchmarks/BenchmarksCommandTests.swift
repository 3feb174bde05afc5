// Only on these platforms can a process start another one.
#if os(macOS) || os(Linux)
import Foundation
import Testing

/// The benchmark is a command of its own, so these tests start it as a user would.
@Suite struct BenchmarksCommandTests {
    @Test func helpNamesEverySuiteAndOption() throws {
        let help = try BuiltCommand("Benchmarks").run(["--help"])
        #expect(help.status == 0)
        // The first word of an indented line is a name.
        let lines = help.output.split(separator: "\n").filter { $0.hasPrefix("  ") }
        let names = lines.compactMap { $0.split(separator: " ").first }
        #expect(
            names == [
                "--corpora", "--suite", "--filter", "--rounds", "--largest-body", "--json", "--compare", "--chart",
                "--iterations", "--help", "json-decode", "json-encode", "json-value", "dates", "chain", "corners",
                "mapping", "memory", "scaling", "parallel", "optimizations", "tolerance", "conventions", "network",
            ]
        )
    }

    @Test(arguments: [
        (["--sweet", "dates"], "unknown option --sweet"),
        (["dates"], "unexpected argument dates"),
        (["--rounds"], "--rounds needs a value"),
        (["--rounds", "none"], "--rounds: none is not a whole number"),
        (["--rounds=0"], "--rounds: 0 is not a whole number"),
        (["--suite", "dates,jsn"], "no suite is named jsn"),
        (["--suite="], "--suite needs a value"),
        (["--corpora", "/nowhere"], "/nowhere/twitter.json cannot be read"),
        (["--compare", "/nowhere/rows.json"], "/nowhere/rows.json cannot be read"),
        (["--suite", "dates", "--filter", "nobody"], "no row contains nobody"),
    ])
    func badArgumentsAreNamed(arguments: [String], message: String) throws {
        let run = try BuiltCommand("Benchmarks").run(arguments)
        #expect(run.status == 64)
        #expect(run.errors.contains(message), "\(run.errors)")
        #expect(run.output.isEmpty)
    }

    @Test func rowsChartAndComparisonAreWritten() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let rowFile = folder.appendingPathComponent("rows.json").path
        let chartFile = folder.appendingPathComponent("chart.svg").path
        let selection = ["--suite", "json-decode,memory", "--filter", "tiny", "--rounds", "1"]

        let first = try BuiltCommand("Benchmarks").run(selection + ["--json", rowFile, "--chart", chartFile])
        #expect(first.status == 0, "\(first.errors)")
        #expect(first.errors.isEmpty, "a progress line belongs to terminals only")

        let data = try Data(contentsOf: URL(fileURLWithPath: rowFile))
        let rows = try #require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
        let timed = try #require(rows.first { $0["suite"] as? String == "json-decode" })
        #expect(timed["corpus"] as? String == "tiny")
        #expect(timed["engine"] as? String == "foundation")
        #expect(timed["ratio_to_foundation"] as? Double == 1)
        #expect(try #require(timed["median_ns"] as? Double) > 0)
        #expect(try #require(timed["mb_per_s"] as? Double) > 0)
        #expect(rows.contains { $0["suite"] as? String == "memory" && $0["median_ns"] is NSNull })
        #if os(Linux)
        #expect(try #require(timed["mallocs"] as? Int) > 0)
        #expect(try #require(timed["peak_bytes"] as? Int) > 0)
        #endif

        let chart = try String(contentsOfFile: chartFile, encoding: .utf8)
        #expect(
            chart.hasPrefix("<svg") && chart.contains("json-decode") && chart.contains("prefers-color-scheme: dark")
        )
        #expect(!chart.contains("memory"), "what is not timed has no bar")

        let second = try BuiltCommand("Benchmarks").run(selection + ["--compare", rowFile])
        #expect(second.status == 0, "\(second.errors)")
        #expect(second.output.contains("json-decode/tiny/foundation"))
    }

    @Test func anUncountedRunNamesItsRowsInOrder() throws {
        let run = try BuiltCommand("Benchmarks")
            .run(["--suite", "json-decode", "--filter", "tiny/bilayer", "--iterations", "2"])
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output == "json-decode/tiny/bilayer-codable\njson-decode/tiny/bilayer-direct\n")
    }

    @Test func aComparisonMarksWhatGotWorse() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).json")
        defer { try? FileManager.default.removeItem(at: file) }
        let fast = #"[{"suite":"json-decode","corpus":"tiny","engine":"foundation","median_ns":1,"mallocs":1}]"#
        try Data(fast.utf8).write(to: file)
        let run = try BuiltCommand("Benchmarks")
            .run([
                "--suite", "json-decode", "--filter", "tiny/foundation", "--rounds", "1", "--compare", file.path,
            ])
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains("WORSE") && run.output.contains("1 of 1 rows are worse"))
    }
}
#endif
