/// The colours of the chart for light pages, and for dark pages if the reader's system prefers them.
let chartStyle = """
    <style>
    text { font-family: system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; font-size: 11px; fill: #1f2328; }
    .page { fill: #ffffff; }
    .title { font-size: 15px; font-weight: 600; }
    .panel { font-size: 13px; font-weight: 600; }
    .value { font-size: 10px; fill: #57606a; }
    \(rules(\.light))
    @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    .page { fill: #0d1117; }
    .value { fill: #9ea7b3; }
    \(rules(\.dark))
    }
    </style>
    """

private typealias Colours = (light: String, dark: String)

private func rules(_ colour: (Colours) -> String) -> String {
    Engine.allCases.map { ".\($0.rawValue) { fill: \(colour($0.colours)); }" }.joined(separator: "\n")
}

extension Engine {
    fileprivate var colours: Colours {
        switch self {
        case .foundation: ("#8c959f", "#848d97")
        case .bilayerCodable: ("#0969da", "#4493f8")
        case .bilayerDirect: ("#1a7f5a", "#3fb98a")
        case .bilayerChain: ("#8250df", "#ab7df8")
        case .bilayerURLSession: ("#0550ae", "#79c0ff")
        case .bilayerStream: ("#1b7c83", "#39c5cf")
        case .jsonSerializationRoundTrip: ("#cf5f24", "#f0883e")
        case .withoutKeyTables, .salvaging: ("#bf8700", "#d29922")
        case .withoutContainerReuse, .conventions: ("#bf3989", "#db61a2")
        case .withoutDirectCollections, .withoutPathsInIndex, .emptyHop: ("#57606a", "#9ea7b3")
        case .oneHop: ("#24292f", "#d0d7de")
        }
    }
}
