import Bilayer
import Foundation

func datesCase(of users: Corpus<[UserEntry]>) -> Case {
    let foundation = JSONDecoder()
    foundation.dateDecodingStrategy = .iso8601
    var bilayer = JsonDecoder()
    bilayer.dates = .rfc3339
    return Case(
        suite: .dates,
        corpus: users.name,
        byteCount: users.body.count,
        contenders: [
            Contender(.foundation) {
                try foundation.decode([RegistrationEntry].self, from: users.body)
            } isRight: { _ in
                true
            },
            Contender(.bilayerCodable) { [bilayer] in
                try bilayer.decode([RegistrationEntry].self, from: users.body)
            } isRight: { registrations in
                try registrations == foundation.decode([RegistrationEntry].self, from: users.body)
            },
        ]
    )
}
