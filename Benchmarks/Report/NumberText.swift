import Foundation

func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
}

func decimal(_ number: Double, places: Int) -> String {
    let scale = pow(10, Double(places))
    let scaled = Int((number * scale).rounded())
    guard places > 0 else { return grouped(scaled) }
    let fraction = String(abs(scaled) % Int(scale))
    return "\(scaled / Int(scale))." + String(repeating: "0", count: places - fraction.count) + fraction
}

/// Returns a ratio with two decimal places below ten, and one from ten on.
func ratioText(_ ratio: Double) -> String {
    decimal(ratio, places: ratio < 10 ? 2 : 1)
}

/// Returns a number with separators: 1234567 becomes 1,234,567.
func grouped(_ number: Int) -> String {
    let digits = Array(String(number.magnitude))
    let groups = stride(from: digits.count, to: 0, by: -3).map { String(digits[max(0, $0 - 3)..<$0]) }
    return (number < 0 ? "-" : "") + groups.reversed().joined(separator: ",")
}

func durationText(_ nanoseconds: Double) -> String {
    switch nanoseconds {
    case ..<1e3: "\(decimal(nanoseconds, places: 0)) ns"
    case ..<1e6: "\(decimal(nanoseconds / 1e3, places: 2)) us"
    case ..<1e9: "\(decimal(nanoseconds / 1e6, places: 2)) ms"
    default: "\(decimal(nanoseconds / 1e9, places: 2)) s"
    }
}
