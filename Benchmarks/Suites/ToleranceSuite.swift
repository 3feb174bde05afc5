import Bilayer
import Foundation

/// The cost of salvaging: a list and an envelope of 2,000 users, with and without invalid users. It is compared with
/// the standard policy on the valid body.
func toleranceCases() -> [Case] {
    let users = 2000
    return [("list", wrapped: false), ("envelope", wrapped: true)]
        .flatMap { form, isWrapped in
            [0, 20, 200, 1500, 2000]
                .map { bad in
                    toleranceCase("\(form)-\(bad)-bad", users: users, bad: bad, isWrapped: isWrapped)
                }
        }
}

private func toleranceCase(_ name: String, users: Int, bad: Int, isWrapped: Bool) -> Case {
    let good = body(users: users, bad: 0, isWrapped: isWrapped)
    let broken = body(users: users, bad: bad, isWrapped: isWrapped)
    let decoder = JSONDecoder()
    return Case(
        suite: .tolerance,
        corpus: name,
        byteCount: good.count,
        contenders: [
            Contender(.foundation) {
                isWrapped
                    ? try decoder.decode(Page.self, from: good).items : try decoder.decode([Member].self, from: good)
            } isRight: {
                $0.count == users
            },
            Contender(.bilayerCodable) {
                try members(of: good, .standard, isWrapped)
            } isRight: {
                $0.count == users
            },
            Contender(.salvaging) {
                // A list whose elements all fail is an error.
                try bad == users
                    ? (try? members(of: broken, .salvaging, isWrapped)) ?? []
                    : members(of: broken, .salvaging, isWrapped)
            } isRight: {
                $0.count == users - bad
            },
        ]
    )
}

private func members(of body: Data, _ policy: MappingPolicy, _ isWrapped: Bool) throws -> [Member] {
    try CollectingReporter()
        .mapping(policy: policy) {
            let json = try Json(parsing: body)
            return isWrapped ? try Page.from(raw: json).items : try [Member].from(raw: json)
        }
}

/// Returns a list of users. The invalid users are spread evenly over the list and have a string as their age.
private func body(users: Int, bad: Int, isWrapped: Bool) -> Data {
    let parts = String(decoding: UserBodies.list(of: users), as: UTF8.self).components(separatedBy: "\"age\":")
    var text = parts[0]
    for (index, part) in parts.dropFirst().enumerated() {
        // The number of invalid users up to each index grows evenly.
        let isBad = (index + 1) * bad / users > index * bad / users
        text += isBad ? "\"age\":\"x\",\"years\":" : "\"age\":"
        text += part
    }
    return Data((isWrapped ? "{\"total\":\(users),\"items\":\(text)}" : text).utf8)
}

private struct Page: Codable, RawMappable {
    let total: Int
    let items: [Member]
}

private struct Member: Codable, RawMappable {
    struct Photo: Codable {
        let id: Int
        let ref: String
    }
    struct Address: Codable {
        let street: String
        let city: String
        let zip: String
    }
    let id: Int
    let name: String
    let age: Int
    let type: Int
    let email: String?
    let createdAt: String
    let rating: Double
    let verified: Bool
    let photos: [Photo]
    let address: Address
}
