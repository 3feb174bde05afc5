extension Duration {
    /// The duration in seconds with three decimal digits: `0.012 s`.
    var formattedSeconds: String {
        // `components` traps for a duration of more seconds than an `Int64` can represent.
        let (seconds, attoseconds) = Swift.min(Swift.max(self, .seconds(Int64.min)), .seconds(Int64.max)).components
        let fraction = String(attoseconds.magnitude / 1_000_000_000_000_000)
        let sign = attoseconds < 0 && seconds == 0 ? "-" : ""
        return "\(sign)\(seconds).\(String(repeating: "0", count: 3 - fraction.count))\(fraction) s"
    }
}
