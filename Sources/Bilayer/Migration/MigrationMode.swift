/// Which of the two sources of a ``Migration`` a call uses.
public enum MigrationMode: Sendable, Hashable {
    /// Uses the old source.
    case old
    /// Uses the new source. If it fails and the call is a read, uses the old source.
    case new
    /// Uses the new source, as in ``new``, for a share of the users, from 0 to 1. Uses the old source for the other
    /// users.
    ///
    /// The choice depends only on the user's id and the migration's name. The choice is equal on every device and after
    /// every launch. A user in a share is also in every larger share. A call without a user id uses the old source.
    case share(Double)
    /// Uses the old source. For a share of the calls, from 0 to 1, also calls the new source and compares the two
    /// models, if the call is a read.
    case shadow(share: Double)
}

/// Returns a number for a user, from 0 up to but not including 1. A user is in a share if the number is less than the
/// share.
///
/// The bits of the hash are mixed. Without mixing, similar ids of equal length would have similar positions.
func sharePosition(_ id: String, in migration: String) -> Double {
    // A zero byte separates the two texts, so that "a" + "bc" differs from "ab" + "c".
    var hash = stableHash(of: Array(migration.utf8) + [0] + Array(id.utf8))
    hash ^= hash >> 33
    hash = hash &* 0xff51_afd7_ed55_8ccd
    hash ^= hash >> 33
    hash = hash &* 0xc4ce_b9fe_1a85_ec53
    hash ^= hash >> 33
    // Uses the 53 bits that a Double holds exactly.
    return Double(hash >> 11) / Double(UInt64(1) << 53)
}
