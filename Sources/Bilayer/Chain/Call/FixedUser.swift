/// The user of a middleware whose credentials do not change.
struct FixedUser: UserSource {
    let sourceNumber: Int
    var userNumber: Int { 0 }

    /// Makes a user that is equal to no other user.
    init() { sourceNumber = nextSourceNumber() }

    /// Makes a user that is equal for equal credentials. Its number differs in each run of the app, and reveals nothing
    /// about the credentials.
    init(of credentials: String...) {
        var hasher = Hasher()
        hasher.combine(credentials)
        // Negative, unlike the numbers of ``nextSourceNumber()``.
        sourceNumber = hasher.finalize() | Int.min
    }

    func check(_ userNumber: Int) {}
    func checkWait() {}
}
