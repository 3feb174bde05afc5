/// Returns the ratios of a run as an SVG picture. Each suite has a panel, each corpus a group of bars, each engine a
/// bar. A panel is placed in the column that is shorter so far.
func chart(of rows: [Row]) -> String {
    let drawn = rows.filter { $0.ratioToFoundation != nil && $0.medianNanoseconds != nil }
    let panels = unique(drawn.map(\.suite))
        .map { suite in
            ChartPanel(title: suite, rows: drawn.filter { $0.suite == suite })
        }
    let engines = Engine.allCases.filter { engine in drawn.contains { $0.engine == engine.rawValue } }
    var columns = [ChartLayout.top, ChartLayout.top]
    var body = legend(of: engines)
    for panel in panels {
        let column = columns[0] <= columns[1] ? 0 : 1
        let left = ChartLayout.margin + column * (ChartLayout.columnWidth + ChartLayout.gutter)
        body += panel.drawn(x: left, y: columns[column])
        columns[column] += panel.height
    }
    let height = max(columns[0], columns[1]) + ChartLayout.margin
    return """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(ChartLayout.width) \(height)" \
        width="\(ChartLayout.width)" height="\(height)" role="img" aria-label="Speed relative to Foundation">
        \(chartStyle)
        <rect class="page" width="100%" height="100%"/>
        <text class="title" x="\(ChartLayout.margin)" y="30">Times Foundation's speed, more is better</text>
        \(body.joined(separator: "\n"))
        </svg>

        """
}

enum ChartLayout {
    static let width = 860
    static let margin = 20
    static let gutter = 30
    static let columnWidth = (width - 2 * margin - gutter) / 2
    static let top = 78
    static let characterWidth = 7
    static let valueWidth = 44
    static let barHeight = 12
    static let barPitch = 14
    static let groupGap = 9
    static let titleHeight = 30
    static let panelGap = 22
}

/// The name of a suite, and below it a group of bars for each corpus.
struct ChartPanel {
    private let title: String
    private let groups: [(corpus: String, rows: [Row])]
    private let largest: Double
    private let labelWidth: Int

    init(title: String, rows: [Row]) {
        self.title = title
        groups = unique(rows.map(\.corpus)).map { corpus in (corpus, rows.filter { $0.corpus == corpus }) }
        largest = max(1, rows.compactMap(\.ratioToFoundation).max() ?? 1)
        labelWidth = (rows.map(\.corpus.count).max() ?? 0) * ChartLayout.characterWidth + ChartLayout.characterWidth
    }

    var height: Int {
        let bars = groups.reduce(0) { $0 + $1.rows.count }
        return ChartLayout.titleHeight + bars * ChartLayout.barPitch + groups.count * ChartLayout.groupGap
            + ChartLayout.panelGap
    }

    func drawn(x: Int, y: Int) -> [String] {
        var lines = [#"<text class="panel" x="\#(x)" y="\#(y + 14)">\#(title)</text>"#]
        var top = y + ChartLayout.titleHeight
        for group in groups {
            lines.append(#"<text class="label" x="\#(x)" y="\#(top + 10)">\#(group.corpus)</text>"#)
            for row in group.rows {
                lines += bar(of: row, x: x + labelWidth, y: top)
                top += ChartLayout.barPitch
            }
            top += ChartLayout.groupGap
        }
        return lines
    }

    private func bar(of row: Row, x: Int, y: Int) -> [String] {
        let ratio = row.ratioToFoundation ?? 0
        let room = ChartLayout.columnWidth - labelWidth - ChartLayout.valueWidth
        let length = max(1, Int((Double(room) * ratio / largest).rounded()))
        let size = #"width="\#(length)" height="\#(ChartLayout.barHeight)""#
        return [
            #"<rect class="\#(row.engine)" x="\#(x)" y="\#(y)" \#(size) rx="1.5"/>"#,
            #"<text class="value" x="\#(x + length + 5)" y="\#(y + 10)">\#(ratioText(ratio))</text>"#,
        ]
    }
}

private func legend(of engines: [Engine]) -> [String] {
    var x = ChartLayout.margin
    return engines.flatMap { engine in
        defer { x += 26 + engine.rawValue.count * 7 }
        return [
            #"<rect class="\#(engine.rawValue)" x="\#(x)" y="46" width="12" height="12" rx="1.5"/>"#,
            #"<text class="label" x="\#(x + 18)" y="56">\#(engine.rawValue)</text>"#,
        ]
    }
}

/// Returns the texts without repetitions, in their order.
private func unique(_ texts: [String]) -> [String] {
    var seen: Set<String> = []
    return texts.filter { seen.insert($0).inserted }
}
