import Bilayer
import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A progress bar. On a terminal it is redrawn in place. In a file or a pipe, only its last state is printed, on one
/// line.
struct ProgressBar {
    private static let width = 40

    private let label: String
    private let isTerminal = isatty(1) == 1
    private var last = ""

    init(label: String) { self.label = label }

    mutating func show(_ progress: TransferProgress) {
        let done = progress.fraction.map { Int($0 * Double(Self.width)) } ?? 0
        let bar = String(repeating: "#", count: done) + String(repeating: ".", count: Self.width - done)
        last = "[\(bar)] \(progress)"
        if isTerminal {
            // Writes directly, because `print` buffers until the end of the line.
            let line = "\r   \(label.padding(toLength: 10, withPad: " ", startingAt: 0))\(last)"
            try? FileHandle.standardOutput.write(contentsOf: Data(line.utf8))
        }
    }

    func end() {
        if isTerminal { print() } else { tell(label, last) }
    }
}
