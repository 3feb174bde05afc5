#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Bionic)
import Bionic
#endif

/// A test whether the current thread's stack has room for another nested value.
///
/// Coding and mapping recurse as deep as the value is nested, and how much stack a level takes depends on its type. A
/// maximum depth that is safe on every thread would be far below 512. Therefore, beyond a few levels, coding and
/// mapping measure the rest of the stack and throw an error if it is small.
///
/// A thread needs a stack of at least 512 KB, the default of secondary threads on Apple's systems. On a smaller stack,
/// the first levels, which are not tested, can overflow the stack.
enum StackSpace {
    /// Whether the remaining stack is too small for another level of a typical type and the functions that it calls.
    @inline(never)
    static var isLow: Bool {
        let lowest = lowestAddress
        // The size is only known at run time, because the address sanitizer moves all memory of constant size to
        // another stack.
        let here = unsafe withUnsafeTemporaryAllocation(byteCount: 16 &+ Int(lowest & 15), alignment: 16) { bytes in
            UInt(bitPattern: bytes.baseAddress)
        }
        // An address far below the stack's end belongs to another stack, for example that of a fiber.
        return here < lowest && lowest - here <= largestReserve
    }

    /// The lowest address at which a level may begin: the stack's end plus the reserve for the level itself. The
    /// address is computed once for each thread. It is 0 or 1 if it cannot be stored or computed. In that case
    /// ``isLow`` is always false.
    private static var lowestAddress: UInt {
        guard let key else { return 0 }
        if let known = unsafe pthread_getspecific(key) { return UInt(bitPattern: known) }
        let address = bounds.map { end, size in end + reserve(of: size) } ?? 1
        // Bound: the number is stored as a pointer, which is never dereferenced or freed. Storing at least 1
        // distinguishes a computed number from a missing number.
        unsafe pthread_setspecific(key, UnsafeRawPointer(bitPattern: max(address, 1)))
        return address
    }

    /// Returns the reserve for one level and the functions that it calls: a quarter of the stack, but at least 64 KB
    /// and at most 256 KB.
    static func reserve(of size: UInt) -> UInt { min(max(size / 4, 64 * 1024), largestReserve) }

    private static let largestReserve: UInt = 256 * 1024

    private static let key: pthread_key_t? = {
        var key = pthread_key_t()
        return unsafe pthread_key_create(&key, nil) == 0 ? key : nil
    }()

    /// The lowest address of the stack, towards which it grows, and its size in bytes; nil if the system does not
    /// report them.
    private static var bounds: (end: UInt, size: UInt)? {
        #if canImport(Darwin)
        let size = unsafe UInt(pthread_get_stacksize_np(pthread_self()))
        let start = unsafe UInt(bitPattern: pthread_get_stackaddr_np(pthread_self()))
        return size < start ? (start - size, size) : nil
        #else
        guard let read = unsafe readAttributes else { return nil }
        return unsafe withUnsafeTemporaryAllocation(of: pthread_attr_t.self, capacity: 1) { attributes in
            // Bound: there is memory for the attributes, which `read` fills if it returns 0.
            guard let attributes = attributes.baseAddress, unsafe read(pthread_self(), attributes) == 0 else {
                return nil
            }
            defer { unsafe pthread_attr_destroy(attributes) }
            var end: UnsafeMutableRawPointer?
            var size = 0
            guard unsafe pthread_attr_getstack(attributes, &end, &size) == 0, let end = unsafe end else { return nil }
            return (UInt(bitPattern: end), UInt(size))
        }
        #endif
    }

    #if !canImport(Darwin)
    private typealias ReadAttributes = @convention(c) (pthread_t, UnsafeMutablePointer<pthread_attr_t>) -> Int32

    /// The function `pthread_getattr_np`, which is not in POSIX; nil if the C library does not have it.
    private static let readAttributes: ReadAttributes? = {
        guard let address = unsafe dlsym(nil, "pthread_getattr_np") else { return nil }
        // Bound: the name is that of a function of this type.
        return unsafe unsafeBitCast(address, to: ReadAttributes.self)
    }()
    #endif
}
