// Only on these platforms can a process start another one.
#if os(macOS) || os(Linux)
import Foundation
import Testing

/// A process can start another one on macOS and Linux only. A use of `Process` or of an exit test without a condition
/// for these platforms is an error of the compiler on the others, which no test can see here.
@Suite("Tests that start processes are compiled only where a process can start another one")
struct ChildProcessGuardTests {
    private static let conditions: Set = ["#if os(Linux)", "#if os(macOS) || os(Linux)"]

    @Test func everyUseHasItsCondition() throws {
        let folder = Compiler.repository.appending(path: "Tests")
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?
            .compactMap { $0 as? URL }
        var uses = 0
        for file in files ?? [] where file.pathExtension == "swift" {
            let (guarded, unguarded) = Self.uses(in: try String(contentsOf: file, encoding: .utf8))
            uses += guarded.count
            #expect(unguarded.isEmpty, "\(file.path), lines \(unguarded.map(String.init).joined(separator: ", "))")
        }
        #expect(uses > 20)
    }

    @Test(
        "a condition ends with its `#else` and its `#endif`, and one of another kind is none",
        arguments: [
            ("#if os(Linux)\nProcess()\n#endif", []),
            ("#if os(macOS) || os(Linux)\n#if canImport(Darwin)\n#else\nProcess()\n#endif\n#endif", []),
            ("Process()", [1]),
            ("ChildProcess()", []),
            ("#if os(Linux)\n#endif\nProcess()", [3]),
            ("#if os(Linux)\n#else\nProcess()\n#endif", [3]),
            ("#if os(Linux)\n#elseif os(iOS)\nProcess()\n#endif", [3]),
            ("#if !os(Linux)\nProcess()\n#endif", [2]),
            ("    #if os(Linux)\n    await #expect(processExitsWith: .success) {}\n    #endif", []),
            ("await #expect(processExitsWith: .success) {}", [1]),
        ] as [(text: String, unguarded: [Int])]
    )
    func conditionsAreFound(text: String, unguarded: [Int]) {
        #expect(Self.uses(in: text).unguarded == unguarded)
    }

    /// The numbers of the lines that start processes, inside and outside of a condition for platforms that can.
    private static func uses(in text: String) -> (guarded: [Int], unguarded: [Int]) {
        var open: [Bool] = []
        var (guarded, unguarded): ([Int], [Int]) = ([], [])
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let line = line.trimmingCharacters(in: .whitespaces)
            if line.hasPrefix("#if ") {
                open.append(conditions.contains(line))
            } else if line.hasPrefix("#else"), !open.isEmpty {
                open[open.count - 1] = false
            } else if line == "#endif" {
                _ = open.popLast()
            } else if line.contains(/\(processExitsWith:|\bProcess\(/) {
                if open.contains(true) { guarded.append(index + 1) } else { unguarded.append(index + 1) }
            }
        }
        return (guarded, unguarded)
    }
}
#endif
