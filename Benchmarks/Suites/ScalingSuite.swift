import Bilayer
import Foundation

/// User lists from about 1 KB on, each eight times as large as the previous list. Only the last step may be smaller: it
/// ends at the largest size. Foundation is left out of the lists over 8 MB, because it takes too long.
func scalingCases(upTo largestBody: Int) -> [Case] {
    let steps = sequence(first: 1_024) { $0 < largestBody ? min($0 * 8, largestBody) : nil }
    return steps.filter { $0 <= largestBody }.map(scalingCase)
}

private let largestBodyForFoundation = 8 << 20
private let bytesOfOneUser = 384

private func scalingCase(size: Int) -> Case {
    let count = max(1, size / bytesOfOneUser)
    let users = Corpus<[UserEntry]>(name: "users-\(shortByteCount(size))", body: UserBodies.list(of: count))
    let decoder = JsonDecoder()
    let bilayer = Contender(.bilayerCodable) {
        try decoder.decode([UserEntry].self, from: users.body)
    } isRight: { decoded in
        decoded.count == count
    }
    return Case(
        suite: .scaling,
        corpus: users.name,
        byteCount: users.body.count,
        contenders: size <= largestBodyForFoundation ? [foundationDecode(users), bilayer] : [bilayer]
    )
}

/// Returns a size in powers of 1,024: `1KB`, `64MB`.
private func shortByteCount(_ bytes: Int) -> String {
    bytes < 1 << 20 ? "\(bytes >> 10)KB" : "\(bytes >> 20)MB"
}
