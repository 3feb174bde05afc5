/// The user of a ``UserSource`` at one time, such as the user at the start of a call.
struct UserMark: Sendable, Hashable {
    let source: any UserSource
    let userNumber: Int

    init(_ source: any UserSource, userNumber: Int) {
        self.source = source
        self.userNumber = userNumber
    }

    /// Makes the mark of the current user.
    init(now source: any UserSource) { self.init(source, userNumber: source.userNumber) }

    static func == (one: UserMark, other: UserMark) -> Bool {
        one.source.sourceNumber == other.source.sourceNumber && one.userNumber == other.userNumber
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(source.sourceNumber)
        hasher.combine(userNumber)
    }
}
