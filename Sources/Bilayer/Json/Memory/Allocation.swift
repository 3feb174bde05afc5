#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Bionic)
import Bionic
#endif

// The C allocator is used because `realloc` moves large blocks without copying them. Running out of memory ends the
// process, as everywhere in Swift.

/// Returns uninitialized memory of a size, at least one byte. Freed with `free`.
func allocateBytes(_ size: Int) -> UnsafeMutableRawPointer {
    guard let block = unsafe malloc(max(size, 1)) else { outOfMemory() }
    return unsafe block
}

/// Resizes a block. Its contents are preserved as far as they fit.
func resizeBytes(_ block: UnsafeMutableRawPointer, to size: Int) -> UnsafeMutableRawPointer {
    guard let moved = unsafe realloc(block, max(size, 1)) else { outOfMemory() }
    return unsafe moved
}

/// Returns memory for index words.
func allocateWords(_ count: Int) -> UnsafeMutablePointer<UInt64> {
    unsafe allocateBytes(count &* 8).bindMemory(to: UInt64.self, capacity: count)
}

/// Resizes memory for index words.
func resizeWords(_ words: UnsafeMutablePointer<UInt64>, to count: Int) -> UnsafeMutablePointer<UInt64> {
    unsafe resizeBytes(words, to: count &* 8).bindMemory(to: UInt64.self, capacity: count)
}

/// Frees memory.
func freeBytes(_ block: UnsafeMutableRawPointer) { unsafe free(block) }

private func outOfMemory() -> Never { abort() }
