/// The middle value, or the mean of the two middle ones; zero of nothing.
func median(of values: [Double]) -> Double {
    guard !values.isEmpty else { return 0 }
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
}

/// Median absolute deviation from the median: a spread that one disturbed round cannot blow up.
func spread(of values: [Double]) -> Double {
    let center = median(of: values)
    return median(of: values.map { abs($0 - center) })
}
