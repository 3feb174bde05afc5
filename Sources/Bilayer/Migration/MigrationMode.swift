/// Which of the two sources of a ``Migration`` a call uses.
public enum MigrationMode: Sendable, Hashable {
    /// The old one.
    case old
    /// The new one; the old one if the new one fails and the call is a read.
    case new
    /// The new one for this share of users, from 0 to 1, and the old one for the others.
    ///
    /// The choice depends on the user's id and the migration's name only. It is equal on every device and after every
    /// launch, and a user who is in a share is in every larger one. A call without a user's id gets the old source.
    case share(Double)
    /// The old one; for this share of calls, from 0 to 1, the new one is called beside it, and the models are compared.
    case shadow(share: Double)
}

/// The position of a user between 0 and 1.
///
/// The bits of the hash are mixed: without that, ids of equal length that differ in their last character would be
/// neighbours.
func sharePosition(_ id: String, in migration: String) -> Double {
    // A zero byte keeps "a" + "bc" apart from "ab" + "c".
    var hash = stableHash(of: Array(migration.utf8) + [0] + Array(id.utf8))
    hash ^= hash >> 33
    hash = hash &* 0xff51_afd7_ed55_8ccd
    hash ^= hash >> 33
    hash = hash &* 0xc4ce_b9fe_1a85_ec53
    hash ^= hash >> 33
    // The 53 bits that a Double holds exactly.
    return Double(hash >> 11) / Double(UInt64(1) << 53)
}
