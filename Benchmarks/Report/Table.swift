import Foundation

/// Returns the measurements of a suite as aligned text, with columns for ratios, MB/s, time, heap blocks and bytes.
func table(of measurements: [Measurement], title: String) -> String {
    let header = ["corpus", "engine", "ratio", "±", "MB/s", "time", "mallocs", "result needs", "peak bytes"]
    var lines = [header]
    var lastCorpus: String?
    for measurement in measurements {
        let row = measurement.row
        lines.append([
            row.corpus == lastCorpus ? "" : row.corpus,
            row.engine,
            row.ratioToFoundation.map(ratioText) ?? "-",
            measurement.ratioSpread.map(ratioText) ?? "-",
            row.megabytesPerSecond.map { decimal($0, places: $0 < 100 ? 1 : 0) } ?? "-",
            row.medianNanoseconds.map(durationText) ?? "-",
            row.mallocs.map(grouped) ?? "-",
            measurement.resultBlocks.map(grouped) ?? "-",
            row.peakBytes.map(grouped) ?? "-",
        ])
        lastCorpus = row.corpus
    }
    return "\n\(title)\n" + aligned(lines, textColumns: 2)
}

/// Pads each column to its widest cell. Text is left-aligned, numbers are right-aligned.
func aligned(_ lines: [[String]], textColumns: Int) -> String {
    let columns = lines.map(\.count).max() ?? 0
    let widths = (0..<columns)
        .map { column in
            lines.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
        }
    return
        lines.map { cells in
            let padded = cells.enumerated()
                .map { column, cell in
                    let blanks = String(repeating: " ", count: widths[column] - cell.count)
                    return column < textColumns ? cell + blanks : blanks + cell
                }
            return "  " + padded.joined(separator: "  ")
        }
        .joined(separator: "\n")
}
