import Bilayer
import Foundation

/// Two bodies at a time, on one task and on two tasks, each compared with Foundation on one task. The second row's
/// ratio divided by the first row's ratio is the gain of a second core. It is meaningful only if a second core is idle.
func parallelCases(of users: Corpus<[UserEntry]>) throws -> [Case] {
    let expected = try users.expectedModel()
    let decoder = JsonDecoder()
    let decodeAll: @Sendable (Int) throws -> Bool = { count in
        var allAreRight = true
        for _ in 0..<count {
            allAreRight = try allAreRight && decoder.decode([UserEntry].self, from: users.body).count == expected.count
        }
        return allAreRight
    }
    return [
        parallelCase(of: users, named: "users-1-task") { count in
            try decodeAll(count * 2)
        },
        parallelCase(of: users, named: "users-2-tasks") { count in
            async let first = decodeAll(count)
            async let second = decodeAll(count)
            return try await [first, second].allSatisfy { $0 }
        },
    ]
}

private func parallelCase(
    of users: Corpus<[UserEntry]>,
    named name: String,
    decodeTwice: @escaping (Int) async throws -> Bool
) -> Case {
    let foundation = foundationDecode(users)
    return Case(
        suite: .parallel,
        corpus: name,
        byteCount: users.body.count * 2,
        clock: .wall,
        contenders: [
            Contender(engine: .foundation) {
                try await foundation.run($0 * 2)
                return true
            },
            Contender(engine: .bilayerCodable, work: decodeTwice),
        ]
    )
}
