import Foundation

/// Seeds for tests with random input. Each run has other seeds. A test that fails names its seed, and `BILAYER_SEED`
/// repeats it. `BILAYER_HISTORIES=20` makes twenty times as many seeds.
enum Seeds {
    static func some(_ count: Int) -> [UInt64] {
        let environment = ProcessInfo.processInfo.environment
        if let seed = environment["BILAYER_SEED"].flatMap({ UInt64($0) }) { return [seed] }
        let times = environment["BILAYER_HISTORIES"].flatMap { Int($0) } ?? 1
        let first = UInt64.random(in: .min ... .max)
        return (0..<UInt64(count * max(times, 1))).map { first &+ $0 }
    }
}
