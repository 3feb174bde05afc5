extension Duration {
    /// Seconds with three digits: `0.012 s`.
    var formattedSeconds: String {
        // A duration of more seconds than an integer has no components.
        let (seconds, attoseconds) = Swift.min(Swift.max(self, .seconds(Int64.min)), .seconds(Int64.max)).components
        let fraction = String(attoseconds.magnitude / 1_000_000_000_000_000)
        let sign = attoseconds < 0 && seconds == 0 ? "-" : ""
        return "\(sign)\(seconds).\(String(repeating: "0", count: 3 - fraction.count))\(fraction) s"
    }
}
