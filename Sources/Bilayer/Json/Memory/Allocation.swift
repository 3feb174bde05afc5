#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Bionic)
import Bionic
#endif

// The C allocator is used because `realloc` can move large blocks without copying them. If memory runs out, the process
// ends, as everywhere in Swift.

/// Returns `size` bytes of uninitialized memory, at least one. Free the memory with ``freeBytes(_:)``.
func allocateBytes(_ size: Int) -> UnsafeMutableRawPointer {
    guard let block = unsafe malloc(max(size, 1)) else { outOfMemory() }
    return unsafe block
}

/// Resizes a block, which may move. The contents that fit are preserved.
func resizeBytes(_ block: UnsafeMutableRawPointer, to size: Int) -> UnsafeMutableRawPointer {
    guard let moved = unsafe realloc(block, max(size, 1)) else { outOfMemory() }
    return unsafe moved
}

/// Returns uninitialized memory for `count` index words.
func allocateWords(_ count: Int) -> UnsafeMutablePointer<UInt64> {
    unsafe allocateBytes(count &* 8).bindMemory(to: UInt64.self, capacity: count)
}

/// Resizes memory for index words.
func resizeWords(_ words: UnsafeMutablePointer<UInt64>, to count: Int) -> UnsafeMutablePointer<UInt64> {
    unsafe resizeBytes(words, to: count &* 8).bindMemory(to: UInt64.self, capacity: count)
}

/// Frees a block that one of the functions above returned.
func freeBytes(_ block: UnsafeMutableRawPointer) { unsafe free(block) }

private func outOfMemory() -> Never { abort() }
