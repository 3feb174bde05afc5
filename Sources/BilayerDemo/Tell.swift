import Foundation

/// Prints a label and a text beside it. Long lines are broken.
func tell(_ label: String, _ text: String) {
    let plain = text.replacing("BilayerDemo.", with: "")
    let lines = plain.split(separator: "\n").flatMap { broken($0, width: 104) }
    for (index, line) in lines.enumerated() {
        print("   " + (index == 0 ? label : "").padding(toLength: 10, withPad: " ", startingAt: 0) + line)
    }
}

/// Breaks a long line after a comma, or else at a space, or else at the width. All lines after the first are indented.
private func broken(_ line: Substring, width: Int) -> [String] {
    guard line.count > width else { return [String(line)] }
    let window = line.prefix(width)
    let end = window.dropFirst(width / 2)
    let place = end.lastIndex(of: ",") ?? end.lastIndex(of: " ")
    let next = place.map(line.index(after:)) ?? window.endIndex
    return [String(line[..<next])] + broken("  " + line[next...].drop { $0 == " " }, width: width)
}
