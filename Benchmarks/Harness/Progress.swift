import Foundation

/// A line on standard error that is overwritten with each step. Prints nothing if standard error is not a terminal.
struct Progress: Sendable {
    private let isWatched = isatty(FileHandle.standardError.fileDescriptor) == 1

    func show(_ text: String) {
        write("\r\(text)\u{1B}[K")
    }

    func clear() {
        write("\r\u{1B}[K")
    }

    private func write(_ text: String) {
        guard isWatched else { return }
        FileHandle.standardError.write(Data(text.utf8))
    }
}
