import Foundation

/// User lists from 1 KB up, each eight times the one before. Foundation stays out of the large ones: it takes its time.
func scalingCases(upTo largestBody: Int) -> [Case] {
    let steps = sequence(first: 1_024) { $0 < largestBody ? min($0 * 8, largestBody) : nil }
    return steps.filter { $0 <= largestBody }.map(scalingCase)
}

private let largestBodyForFoundation = 8 << 20
private let bytesOfOneUser = 384

private func scalingCase(size: Int) -> Case {
    let count = max(1, size / bytesOfOneUser)
    let users = Corpus<[UserEntry]>(name: "users-\(shortByteCount(size))", body: UserBodies.list(of: count))
    let foundation = size <= largestBodyForFoundation ? [foundationDecode(users)] : []
    return Case(
        suite: .scaling,
        corpus: users.name,
        byteCount: users.body.count,
        contenders: foundation
    )
}

/// 1 KB, 64 MB: sizes in powers of 1,024.
private func shortByteCount(_ bytes: Int) -> String {
    bytes < 1 << 20 ? "\(bytes >> 10)KB" : "\(bytes >> 20)MB"
}
