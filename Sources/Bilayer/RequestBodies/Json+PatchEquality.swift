extension Json {
    /// Whether two values are found equal before a patch compares their parts. `level` is the number of containers
    /// around them.
    ///
    /// This skips equal values fast. At every level it would compare all inner values again. So it is done at the
    /// levels 0, 1, 2, 4, 8 and so on. At the other levels the parts show whether there is a difference.
    func isFoundEqual(to other: Json, atLevel level: Int) -> Bool { level & (level - 1) == 0 && self == other }
}
