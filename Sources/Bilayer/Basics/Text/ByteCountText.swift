/// Returns a number of bytes as text for people: `999 B`, `18.4 kB`, `2.0 MB`. Each unit is 1000 times the one before,
/// and numbers from 1 kB on have one decimal digit.
package func byteCountText(_ count: Int) -> String {
    guard count.magnitude >= 1000 else { return "\(count) B" }
    var scaled = count.magnitude
    var unit = 0
    while scaled >= 999_950, unit < units.count - 1 {
        scaled /= 1000
        unit += 1
    }
    let tenths = (scaled + 50) / 100
    return "\(count < 0 ? "-" : "")\(tenths / 10).\(tenths % 10) \(units[unit])"
}

private let units = ["kB", "MB", "GB", "TB", "PB", "EB"]
