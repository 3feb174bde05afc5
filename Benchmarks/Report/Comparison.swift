/// The relative change from which a row counts as slower: five percent.
private let tolerance = 0.05

/// Compares the rows with those of an earlier run: the earlier median time divided by the new one, and the change in
/// heap blocks. Rows that only one of the runs has are left out.
func comparison(of rows: [Row], with earlier: [Row]) -> String {
    let before = Dictionary(earlier.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    var lines = [["row", "speed", "before", "now", "mallocs", ""]]
    var regressions = 0
    for row in rows {
        guard let old = before[row.path] else { continue }
        let speed = zip(old.medianNanoseconds, row.medianNanoseconds).map { $0 / $1 }
        let extraMallocs = zip(old.mallocs, row.mallocs).map { $1 - $0 }
        let isWorse = (speed ?? 1) < 1 - tolerance || (extraMallocs ?? 0) > 0
        regressions += isWorse ? 1 : 0
        lines.append([
            row.path,
            speed.map(ratioText) ?? "-",
            old.medianNanoseconds.map(durationText) ?? "-",
            row.medianNanoseconds.map(durationText) ?? "-",
            extraMallocs.map { ($0 > 0 ? "+" : "") + grouped($0) } ?? "-",
            isWorse ? "WORSE" : "",
        ])
    }
    let verdict = regressions == 0 ? "no row is worse" : "\(regressions) of \(lines.count - 1) rows are worse"
    return "\ncompared with the earlier run (speed above 1 is faster now): \(verdict)\n"
        + aligned(lines, textColumns: 1)
}

private func zip<First, Second>(_ first: First?, _ second: Second?) -> (First, Second)? {
    guard let first, let second else { return nil }
    return (first, second)
}
