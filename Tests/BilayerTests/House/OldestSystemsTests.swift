#if os(Linux)
import Foundation
import Testing

// On Linux, all of the standard library is available. These files would not compile for macOS 13 and iOS 16.
@Suite("Tests compile for the oldest systems of Apple that the package supports")
struct OldestSystemsTests {
    /// Names of the standard library that these systems lack. A use needs a condition.
    private static var newer: Regex<Substring> {
        /\bimport Synchronization\b|\bMutex\b|\bExecutorJob\b|\bTaskExecutor\b|\bU?Int128\b/
    }

    @Test func newerNamesHaveTheirCondition() throws {
        let folder = Compiler.repository.appending(path: "Tests/BilayerTests")
        let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        var uses = 0
        for case let file as URL in files
        where file.pathExtension == "swift" && file.lastPathComponent != "OldestSystemsTests.swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            let code = text.split(separator: "\n").filter { !$0.trimmingPrefix(while: \.isWhitespace).hasPrefix("//") }
            guard code.contains(where: { $0.contains(Self.newer) }) else { continue }
            uses += 1
            #expect(text.contains("available(macOS"), "\(file.path)")
        }
        #expect(uses > 3)
    }
}
#endif
