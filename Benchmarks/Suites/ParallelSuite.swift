import Foundation

func parallelCase(of users: Corpus<[UserEntry]>) -> Case {
    Case(
        suite: .parallel,
        corpus: "users-2-bodies",
        byteCount: users.body.count * 2,
        contenders: []
    )
}
