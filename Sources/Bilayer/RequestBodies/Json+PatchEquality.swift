extension Json {
    /// Returns whether two values are equal, but only at the levels 0, 1, 2, 4, 8 and so on. Returns `false` at all
    /// other levels. `level` is the number of containers around the values.
    ///
    /// With this check a patch skips equal values fast. If the result is `false`, the patch compares the parts of the
    /// values. A check at every level would compare the innermost values once for each level.
    func isEqualAtCheckedLevel(to other: Json, level: Int) -> Bool { level & (level - 1) == 0 && self == other }
}
