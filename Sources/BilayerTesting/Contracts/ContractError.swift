public import Bilayer

/// What a check of the contract with a server found: throw it from a test of any framework.
///
/// ```swift
/// try expectEveryFieldIsRead(by: User.self, from: sampleEntry)
/// // Contract of User:
/// //   $.photos[].caption   is read by nobody
/// ```
public struct ContractError: Error, Sendable, Redacted {
    /// One thing that the check found, or could not decide.
    public struct Problem: Sendable, Hashable, CustomStringConvertible {
        /// The place in the sample; indices are left out where all elements have the problem.
        public let path: String
        /// What is wrong there.
        public let text: String

        /// The two on one line.
        public var description: String { "\(path)   \(text)" }
    }

    /// What was checked.
    public let subject: String
    /// What was found, in the order of the sample.
    public let problems: [Problem]

    /// A headline and one line for each problem.
    public var description: String {
        (["Contract of \(subject):"] + problems.map { "  \($0)" }).joined(separator: "\n")
    }

    static func check(_ subject: String, _ problems: [Problem]) throws {
        if !problems.isEmpty { throw ContractError(subject: subject, problems: problems) }
    }
}
