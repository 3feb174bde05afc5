#if os(Linux)
#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Finds functions by their names: functions of libcurl and of its OpenSSL, and functions of FoundationNetworking that
/// call libcurl's variadic functions.
@safe
struct CurlSymbols: Sendable {
    private let address: @Sendable (String) -> UnsafeMutableRawPointer?

    /// Makes a look-up from a closure. Tests pass a closure that does not find some functions.
    /// - Parameter address: Returns the address of a function, or `nil` if there is none.
    init(_ address: @escaping @Sendable (String) -> UnsafeMutableRawPointer?) {
        unsafe self.address = address
    }

    /// Makes a look-up in a library, and in the process.
    /// - Parameter library: The library that has libcurl's functions.
    /// - Throws: ``CurlUnavailableError`` if the library cannot be opened.
    init(library: String = "libcurl.so.4") throws(CurlUnavailableError) {
        guard let curl = Library(library) else {
            throw CurlUnavailableError("\(library) cannot be opened: expected libcurl \(CurlVersion.oldest) or newer")
        }
        // The program's own symbols. If a plug-in has loaded FoundationNetworking, the symbols of that library are not
        // among them, so the library is searched, too.
        let others = [Library(nil), Library("libFoundationNetworking.so")].compactMap(\.self)
        unsafe self.init { name in
            // Functions of OpenSSL are searched from libcurl, so they are those of the OpenSSL that libcurl uses.
            if name.hasPrefix("curl_") || name.hasPrefix("SSL_") { return unsafe curl.address(of: name) }
            for other in others {
                if let found = unsafe other.address(of: name) { return unsafe found }
            }
            return nil
        }
    }

    /// Returns a function, as the type that its header declares.
    /// - Throws: ``CurlUnavailableError`` if there is none of that name.
    func function<Function>(
        _ name: String,
        as type: Function.Type = Function.self
    ) throws(CurlUnavailableError)
        -> Function
    {
        guard let found = unsafe address(name) else {
            let home = name.hasPrefix("curl_") ? "libcurl" : "FoundationNetworking"
            throw CurlUnavailableError(
                "\(home) has no function \(name): expected libcurl \(CurlVersion.oldest) or newer, and a"
                    + " FoundationNetworking that is linked dynamically"
            )
        }
        // Bound: the symbol is a function of this type, as the library's header declares.
        return unsafe unsafeBitCast(found, to: type)
    }
}

/// A library that stays open until the process ends, because threads that the library made may still run its code.
@safe
// Sendable: the handle is never changed, and `dlsym` may be called by any thread.
private final class Library: @unchecked Sendable {
    private let handle: UnsafeMutableRawPointer

    /// Opens a library, or the program itself for `nil`.
    init?(_ name: String?) {
        guard let handle = unsafe dlopen(name, RTLD_NOW) else { return nil }
        unsafe self.handle = unsafe handle
    }

    func address(of name: String) -> UnsafeMutableRawPointer? {
        // Bound: the handle is that of an open library, and the name a terminated text for the time of the call.
        unsafe dlsym(handle, name)
    }
}
#endif
