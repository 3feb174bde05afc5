/// The user of a source at one time.
struct UserMark: Sendable, Hashable {
    let source: any UserSource
    let number: Int

    init(_ source: any UserSource, number: Int) {
        self.source = source
        self.number = number
    }

    /// Makes the mark of the current user.
    init(now source: any UserSource) { self.init(source, number: source.user) }

    static func == (one: UserMark, other: UserMark) -> Bool {
        one.source.number == other.source.number && one.number == other.number
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(source.number)
        hasher.combine(number)
    }
}
