extension Json {
    /// Whether two values are equal. Always `false` at most levels, where a patch finds out by comparing the parts of
    /// the values. `level` is the number of containers around the values.
    ///
    /// With this check a patch skips equal values fast. At every level, the check would compare all inner values again.
    /// So it is made only at the levels 0, 1, 2, 4, 8 and so on.
    func isFoundEqual(to other: Json, atLevel level: Int) -> Bool { level & (level - 1) == 0 && self == other }
}
