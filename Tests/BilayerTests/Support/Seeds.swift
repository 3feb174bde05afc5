import Foundation

/// Seeds of random histories: other ones in each run. A test that fails names its seed, and `BILAYER_SEED` repeats it.
enum Seeds {
    static func some(_ count: Int) -> [UInt64] {
        if let seed = ProcessInfo.processInfo.environment["BILAYER_SEED"].flatMap({ UInt64($0) }) { return [seed] }
        let first = UInt64.random(in: .min ... .max)
        return (0..<UInt64(count)).map { first &+ $0 }
    }
}
