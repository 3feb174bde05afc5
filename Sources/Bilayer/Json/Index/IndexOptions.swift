/// The indexing options where RFC 8259 leaves a choice.
struct IndexOptions: Sendable {
    /// The rule for two members with equal keys.
    enum RepeatedKeys: Sendable {
        /// A look-up finds the first of the members.
        case firstWins
        /// A look-up finds the last of the members.
        case lastWins
        /// A text with repeated keys is refused.
        case reject
    }

    /// The maximum number of open arrays and objects.
    var maximumDepth = 512
    var repeatedKeys = RepeatedKeys.firstWins
    /// Whether the bytes EF BB BF, the byte order mark, may precede the text.
    var acceptsByteOrderMark = true
}
