import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Replaces a file in one step: a reader finds the old file or the new one (POSIX `rename`). `FileManager` does not
/// promise that. Returns whether it succeeded.
func replaceFile(at destination: URL, by other: URL) -> Bool {
    // Bound: the compiler passes both paths as texts with a zero byte at their end, which live until the call returns.
    unsafe rename(other.path, destination.path) == 0
}
