import Foundation

/// What this process holds, on Linux; zeros elsewhere.
struct ProcessResources: CustomStringConvertible {
    let descriptors: Int
    let threads: Int
    let kilobytes: Int
    /// The most memory that the process has ever held.
    let peakKilobytes: Int

    static var now: ProcessResources {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        func number(_ name: String) -> Int {
            let line = status.split(separator: "\n").first { $0.hasPrefix(name) }
            return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
        }
        return ProcessResources(
            descriptors: files,
            threads: number("Threads"),
            kilobytes: number("VmRSS"),
            peakKilobytes: number("VmHWM")
        )
    }

    var description: String { "\(descriptors) descriptors, \(threads) threads, \(kilobytes / 1024) MB" }
}
