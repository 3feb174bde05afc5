/// The user of a middleware whose credentials do not change.
struct FixedUser: UserSource {
    let number: Int
    var user: Int { 0 }

    /// Makes a user that is equal to no other user.
    init() { number = nextSourceNumber() }

    /// Makes a user that is equal for equal credentials. The number differs in each run of the app, and reveals nothing
    /// about the credentials.
    init(of credentials: String...) {
        var hasher = Hasher()
        hasher.combine(credentials)
        // Negative, unlike the numbers of ``nextSourceNumber()``.
        number = hasher.finalize() | Int.min
    }

    func check(_ user: Int) {}
    func checkWait() {}
}
