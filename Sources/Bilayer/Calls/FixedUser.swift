/// The user of a middleware whose credentials do not change.
struct FixedUser: UserSource {
    let number: Int
    var user: Int { 0 }

    /// A user who is equal to no other one.
    init() { number = nextSourceNumber() }

    /// A user who is equal for equal credentials. The number is another one in each run of the app, and says nothing
    /// about them.
    init(of credentials: String...) {
        var hasher = Hasher()
        hasher.combine(credentials)
        // Negative, unlike those that are counted.
        number = hasher.finalize() | Int.min
    }

    func check(_ user: Int) {}
    func checkWait() {}
}
