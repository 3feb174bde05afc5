#if os(Linux)
@testable import Bilayer

/// What the libcurl of this process can do.
enum CurlFeatures {
    private static let library = try? CurlLibrary.shared.get()

    static let hasWebSockets = library?.hasWebSockets ?? false
    static let hasHTTP2 = library.map { $0.version >= .soundHTTP2 } ?? false
}
#endif
