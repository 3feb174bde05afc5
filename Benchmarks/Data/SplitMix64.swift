/// A random number generator by Steele, Lea and Flood. Equal seeds give equal numbers on every platform and with every
/// standard library. So generated bodies are equal byte for byte everywhere.
struct SplitMix64 {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func next(in range: ClosedRange<Int>) -> Int {
        let width = UInt64(range.upperBound - range.lowerBound) + 1
        return range.lowerBound + Int(next().multipliedFullWidth(by: width).high)
    }

    mutating func chance(percent: Int) -> Bool {
        next(in: 1...100) <= percent
    }

    mutating func element(of values: [String]) -> String {
        values[next(in: 0...values.count - 1)]
    }
}
