/// Returns the middle value, or the mean of the two middle values. Returns zero for no values.
func median(of values: [Double]) -> Double {
    guard !values.isEmpty else { return 0 }
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
}

/// Returns the median absolute deviation from the median. A single disturbed round hardly changes it.
func spread(of values: [Double]) -> Double {
    let center = median(of: values)
    return median(of: values.map { abs($0 - center) })
}
