import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Replaces a file in one step, as `FileManager` does not: a reader sees the old one or the new one (POSIX `rename`).
func replaceFile(at destination: URL, by other: URL) -> Bool {
    // Bound: the compiler passes both paths as texts with a zero byte at their end, which live until the call returns.
    unsafe rename(other.path, destination.path) == 0
}
