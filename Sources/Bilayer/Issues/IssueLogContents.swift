/// The contents of an ``IssueLog``. A ``Mark`` stores how many issues, losses and parts there are. The contents are one
/// struct, because each access to a property of a class takes time.
@usableFromInline
struct IssueLogContents {
    var kept: [MappingIssue] = []
    var omitted = 0
    /// The number of omitted issues of kind `dropped`.
    var omittedDrops = 0
    /// The elements that were left out, one ``IssueLogPart/Loss`` for each array or set. Their number is not limited,
    /// because later paths depend on them.
    var losses: [IssueLogPart.Loss] = []
    var aside = AsideParts()
    var omittedClashes = OmittedClashes()

    @inline(__always)
    var mark: Mark {
        Mark(
            kept: kept.count,
            omitted: omitted,
            omittedDrops: omittedDrops,
            losses: losses.count,
            aside: aside.count
        )
    }

    /// A point in the log. Issues from before a mark in use are never removed, so everything added since the mark is
    /// at the ends of the lists. Work on the additions takes time in proportion to their number, not to the length of
    /// the lists.
    @usableFromInline
    struct Mark: Equatable, Sendable {
        @usableFromInline let kept: Int
        @usableFromInline let omitted: Int
        let omittedDrops: Int
        let losses: Int
        /// The number of parts that are set aside.
        @usableFromInline let aside: Int

        /// The mark of an empty log.
        @usableFromInline static var start: Mark { start(aside: 0) }

        /// The mark of a log that has only parts that are set aside.
        static func start(aside: Int) -> Mark { Mark(kept: 0, omitted: 0, omittedDrops: 0, losses: 0, aside: aside) }

        func with(aside: Int) -> Mark {
            Mark(kept: kept, omitted: omitted, omittedDrops: omittedDrops, losses: losses, aside: aside)
        }
    }
}
