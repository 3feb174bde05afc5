public import Bilayer

/// The problems found by a check of the contract between app and server. The error is thrown, so it works with every
/// test framework.
///
/// ```swift
/// try expectEveryFieldIsRead(by: User.self, from: sampleEntry)
/// // Contract of User:
/// //   $.photos[].caption   is not read
/// ```
public struct ContractError: Error, Sendable, Redacted {
    /// A problem that the check found, or a field that the check could not examine.
    public struct Problem: Sendable, Hashable, CustomStringConvertible {
        /// The place of the problem: a path in the sample, the response or the document, or the name of a variable, or
        /// the line of the snapshot. The checks that find unread fields and keys leave out the indices of array
        /// elements.
        public let path: String
        /// A description of the problem.
        public let text: String

        /// The path and the description on one line.
        public var description: String { "\(path)   \(text)" }
    }

    /// What was checked, in most cases the name of a type.
    public let subject: String
    /// The problems, in the order in which the check found them.
    public let problems: [Problem]

    /// A headline, followed by one line for each problem.
    public var description: String {
        (["Contract of \(subject):"] + problems.map { "  \($0)" }).joined(separator: "\n")
    }

    static func check(_ subject: String, _ problems: [Problem]) throws {
        if !problems.isEmpty { throw ContractError(subject: subject, problems: problems) }
    }
}
