#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Bionic)
import Bionic
#endif

// The C allocator, for one reason: `realloc` moves large blocks without copying them. Out of memory ends the process,
// as everywhere in Swift.

/// Uninitialised memory of a size; at least one byte. Freed with `free`.
func allocateBytes(_ size: Int) -> UnsafeMutableRawPointer {
    guard let block = unsafe malloc(max(size, 1)) else { outOfMemory() }
    return unsafe block
}

/// The block with another size, its contents kept as far as they fit.
func resizeBytes(_ block: UnsafeMutableRawPointer, to size: Int) -> UnsafeMutableRawPointer {
    guard let moved = unsafe realloc(block, max(size, 1)) else { outOfMemory() }
    return unsafe moved
}

/// Room for index words.
func allocateWords(_ count: Int) -> UnsafeMutablePointer<UInt64> {
    unsafe allocateBytes(count &* 8).bindMemory(to: UInt64.self, capacity: count)
}

/// Index words with room for another number of them.
func resizeWords(_ words: UnsafeMutablePointer<UInt64>, to count: Int) -> UnsafeMutablePointer<UInt64> {
    unsafe resizeBytes(words, to: count &* 8).bindMemory(to: UInt64.self, capacity: count)
}

/// Gives memory back.
func freeBytes(_ block: UnsafeMutableRawPointer) { unsafe free(block) }

private func outOfMemory() -> Never { abort() }
