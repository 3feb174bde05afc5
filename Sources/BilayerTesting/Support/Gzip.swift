import Foundation

/// Makes gzip streams (RFC 1952) without a library. Any bytes become stored blocks; a run of zeros becomes repetitions.
enum Gzip {
    /// Returns the bytes in stored blocks (RFC 1951 §3.2.4). The result is valid gzip, but not smaller than the bytes.
    static func stored(_ bytes: Data) -> Data {
        let bytes = [UInt8](bytes)
        var deflated = Data()
        var position = 0
        repeat {
            let end = min(position + 0xFFFF, bytes.count)
            let count = UInt16(end - position)
            deflated.append(end == bytes.count ? 1 : 0)
            deflated.append(contentsOf: littleEndian(count) + littleEndian(~count) + bytes[position..<end])
            position = end
        } while position < bytes.count
        return framed(deflated, sum: CRC32.of(bytes), count: bytes.count)
    }

    /// Returns a run of zeros, compressed to about 1/159 of its size if it is long. It is a zero, followed by
    /// repetitions of 258 bytes, and by the zeros that fill no repetition. Each repetition has 13 bits in the fixed
    /// code (RFC 1951 §3.2.6).
    static func zeros(_ count: Int) -> Data {
        let count = max(count, 0)
        var bits = BitWriter()
        bits.append(0b011, 3)  // the last block, in the fixed code
        if count > 0 { bits.append(zero, 8) }
        let repetitions = max(count - 1, 0) / 258
        for _ in 0..<repetitions { bits.append(0b1010_0011, 13) }  // length 258, distance 1
        for _ in 0..<max(count - 1 - repetitions * 258, 0) { bits.append(zero, 8) }
        bits.append(0, 7)  // the end of the block
        return framed(bits.finished, sum: CRC32.ofZeros(count), count: count)
    }

    /// The code of the byte 0, which is `00110000` in RFC 1951. The first bit of the code is the lowest bit of this
    /// number.
    private static let zero: UInt32 = 0b0000_1100

    private static func framed(_ deflated: Data, sum: UInt32, count: Int) -> Data {
        let head: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]
        return Data(head) + deflated + Data(littleEndian(sum) + littleEndian(UInt32(truncatingIfNeeded: count)))
    }

    private static func littleEndian<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        (0..<Number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> Number($0 * 8)) }
    }
}

/// Packs bits into bytes, lowest bit first (RFC 1951 §3.1.1).
private struct BitWriter {
    private var bytes: [UInt8] = []
    private var pending: UInt32 = 0
    private var count: UInt32 = 0

    mutating func append(_ bits: UInt32, _ width: UInt32) {
        pending |= bits << count
        count += width
        while count >= 8 {
            bytes.append(UInt8(truncatingIfNeeded: pending))
            pending >>= 8
            count -= 8
        }
    }

    var finished: Data { Data(count > 0 ? bytes + [UInt8(truncatingIfNeeded: pending)] : bytes) }
}
