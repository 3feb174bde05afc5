/// A middleware that sends requests for a user.
protocol SendsForUser {
    var userSource: any UserSource { get }
}
