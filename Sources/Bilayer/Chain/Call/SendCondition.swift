/// A condition for sending a request, which a middleware sets for the nodes inside. A node in which the request waits
/// calls both methods.
protocol SendCondition: Sendable {
    /// Notes that the request begins to wait.
    func beginWait()
    /// Checks the condition at the end of the wait.
    /// - Throws: The error of the request if it must not be sent any more.
    func endWait() throws
}
