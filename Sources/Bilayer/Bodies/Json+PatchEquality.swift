extension Json {
    /// Whether two values with `level` containers around them are found equal before a patch compares their parts.
    ///
    /// This skips what is equal fast. At each level it would compare all that is below again, so it is done at the
    /// levels 0, 1, 2, 4, 8 and so on; at the others the parts show whether there is a difference.
    func isFoundEqual(to other: Json, atLevel level: Int) -> Bool { level & (level - 1) == 0 && self == other }
}
