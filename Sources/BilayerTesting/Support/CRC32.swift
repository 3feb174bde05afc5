/// The checksum of gzip (RFC 1952 §8).
enum CRC32 {
    private static let table: [UInt32] = (0..<256)
        .map { start in
            (0..<8).reduce(UInt32(start)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }

    /// Returns the checksum of bytes.
    static func of(_ bytes: some Sequence<UInt8>) -> UInt32 {
        ~bytes.reduce(~0) { sum, byte in sum >> 8 ^ table[Int((sum ^ UInt32(byte)) & 0xFF)] }
    }

    /// Returns the checksum of `count` zeros, in log n steps. The effect of a zero byte on the sum is linear, so a
    /// matrix of bits represents it. Squaring the matrix doubles the number of zeros.
    static func ofZeros(_ count: Int) -> UInt32 {
        var sum: UInt32 = ~0
        var step = (0..<32)
            .map { bit in
                let sum = UInt32(1) << UInt32(bit)
                return sum >> 8 ^ table[Int(sum & 0xFF)]
            }
        var rest = max(count, 0)
        while rest > 0 {
            if rest & 1 == 1 { sum = product(step, sum) }
            step = step.map { product(step, $0) }
            rest >>= 1
        }
        return ~sum
    }

    private static func product(_ matrix: [UInt32], _ vector: UInt32) -> UInt32 {
        matrix.indices.reduce(0) { sum, bit in vector >> UInt32(bit) & 1 == 1 ? sum ^ matrix[bit] : sum }
    }
}
