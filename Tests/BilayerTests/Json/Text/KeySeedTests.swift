// Only on these platforms can a process start another one.
#if os(macOS) || os(Linux)
import Testing

@testable import Bilayer

@Suite("The seed of keys' hashes")
struct KeySeedTests {
    /// With one seed for all processes, an attacker could find keys with equal hashes in a process of their own.
    @Test func eachProcessHasItsOwn() async throws {
        var hashes: Set<String> = []
        for _ in 0..<2 {
            let child = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
                let first = "key".withJsonBytes { KeySeed.process.hash($0) }
                let second = "key".withJsonBytes { KeySeed.process.hash($0) }
                print("hash \(first)", first == second ? "twice" : "once")
            }
            let output = String(decoding: try #require(child).standardOutputContent, as: UTF8.self)
            let line = try #require(output.split(separator: "\n").first { $0.hasPrefix("hash ") })
            #expect(line.hasSuffix(" twice"))
            hashes.insert(String(line))
        }
        #expect(hashes.count == 2)
    }
}
#endif
