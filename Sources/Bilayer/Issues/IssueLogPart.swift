/// A part of an ``IssueLog`` that was removed, to be added again.
struct IssueLogPart {
    var issues: [MappingIssue] = []
    var losses: [Loss] = []
    var omitted = 0
    var omittedDrops = 0
    var omittedClash: MappingIssue?
    var failures: [Failure] = []

    var isEmpty: Bool { issues.isEmpty && losses.isEmpty && omitted == 0 }

    /// The elements that were left out of one array.
    struct Loss {
        var localPath: JsonPath
        /// Ascending.
        let indices: [Int]
    }
}

extension IssueLogPart {
    /// The issues of a value that has failed, and its error.
    struct Failure {
        private(set) var part: IssueLogPart
        private(set) var reason: Reason

        init(_ part: IssueLogPart, _ error: any Error) {
            self.part = part
            reason = Reason(error)
        }

        mutating func changeIssues(_ change: (inout MappingIssue) -> Void) {
            // By position, because an issue is large to copy.
            for position in part.issues.indices { change(&part.issues[position]) }
            if var clash = part.omittedClash {
                change(&clash)
                part.omittedClash = clash
            }
            reason.change(change)
        }

        mutating func removeIssues(where isRemoved: (MappingIssue) -> Bool) { part.issues.removeAll(where: isRemoved) }

        mutating func changeLosses(_ change: (inout JsonPath) -> Void) {
            for position in part.losses.indices { change(&part.losses[position].localPath) }
        }

        /// What two errors have in common that end the same value. Errors have no identity, and each value around a
        /// failed one adds to its error. So the places and the kinds of the first issues are compared.
        struct Reason {
            /// `nil` for a cancel.
            private var issue: MappingIssue?

            init(_ error: any Error) {
                issue =
                    switch error {
                    case is CancellationError: nil
                    // Not all issues of an error are copied: this is done at each level around a failed value.
                    case let error as DecodingError: MappingIssue(error)
                    default: MappingError(wrapping: error).issues.first
                    }
            }

            func isEqual(to other: Reason) -> Bool {
                issue?.localPath == other.issue?.localPath && issue?.kind == other.issue?.kind
                    && issue?.expected == other.issue?.expected && issue?.detail == other.issue?.detail
            }

            fileprivate mutating func change(_ change: (inout MappingIssue) -> Void) {
                guard var issue else { return }
                change(&issue)
                self.issue = issue
            }
        }
    }

    /// The last values that have failed after they had reported something. The error that ends a mapping is usually
    /// that of the last one. It is of an earlier one if code has tried alternatives, and then throws the first error.
    struct Failures {
        private static var limit: Int { 8 }

        private var last: [Failure] = []
        private var forgotten = 0

        @inline(__always)
        var count: Int { forgotten + last.count }

        mutating func append(_ failure: Failure) {
            if last.count == Self.limit {
                last.removeFirst()
                forgotten += 1
            }
            last.append(failure)
        }

        /// Returns what was appended when there were `count` failures, and is not forgotten.
        func since(_ count: Int) -> [Failure] { Array(last.suffix(max(0, self.count - count))) }

        mutating func change(since count: Int, _ change: (inout Failure) -> Void) {
            for position in last.indices.suffix(max(0, self.count - count)) { change(&last[position]) }
        }

        /// Removes and returns what was appended when there were `count` failures.
        @discardableResult
        mutating func removeAll(since count: Int) -> [Failure] {
            if self.count <= count { return [] }
            let removed = since(count)
            last.removeLast(removed.count)
            forgotten = min(forgotten, count)
            return removed
        }
    }
}
