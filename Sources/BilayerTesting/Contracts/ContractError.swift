public import Bilayer

/// The problems that a check of the contract with a server found. A test of any framework can throw it.
///
/// ```swift
/// try expectEveryFieldIsRead(by: User.self, from: sampleEntry)
/// // Contract of User:
/// //   $.photos[].caption   is not read
/// ```
public struct ContractError: Error, Sendable, Redacted {
    /// A problem that the check found, or a field that it could not check.
    public struct Problem: Sendable, Hashable, CustomStringConvertible {
        /// The path in the sample; indices are left out if all elements have the problem.
        public let path: String
        /// The problem.
        public let text: String

        /// The two on one line.
        public var description: String { "\(path)   \(text)" }
    }

    /// The name of the checked type.
    public let subject: String
    /// The problems, in the order of the sample.
    public let problems: [Problem]

    /// A headline and one line for each problem.
    public var description: String {
        (["Contract of \(subject):"] + problems.map { "  \($0)" }).joined(separator: "\n")
    }

    static func check(_ subject: String, _ problems: [Problem]) throws {
        if !problems.isEmpty { throw ContractError(subject: subject, problems: problems) }
    }
}
