import Foundation

func datesCase(of users: Corpus<[UserEntry]>) -> Case {
    let body = users.body
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    return Case(
        suite: .dates,
        corpus: users.name,
        byteCount: body.count,
        contenders: [
            Contender(.foundation) {
                try decoder.decode([RegistrationEntry].self, from: body)
            } isRight: { _ in
                true
            }
        ]
    )
}
