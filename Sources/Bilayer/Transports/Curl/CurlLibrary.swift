#if os(Linux)
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The functions of the machine's libcurl, opened at run time.
///
/// Three of these functions are variadic. They must not be called through a type without `...`: on some platforms the
/// calling conventions differ. FoundationNetworking exports a function for each kind of argument
/// (`CFURLSession_easy_setopt_long`, …), and these are called here. The options and results of these functions are C
/// structures of one 32-bit number. The calling conventions of Linux pass such a structure like the number itself.
@safe
// Sendable: the functions are never changed. Any thread may call libcurl, if one thread at a time uses a handle.
final class CurlLibrary: @unchecked Sendable {
    typealias Handle = UnsafeMutableRawPointer
    typealias DataCallback =
        @convention(c) @Sendable (UnsafeMutableRawPointer?, Int, Int, UnsafeMutableRawPointer?) -> Int
    typealias ProgressCallback =
        @convention(c) @Sendable (UnsafeMutableRawPointer?, Int64, Int64, Int64, Int64) -> Int32
    typealias SeekCallback = @convention(c) @Sendable (UnsafeMutableRawPointer?, Int64, Int32) -> Int32
    typealias SocketCallback = @convention(c) @Sendable (UnsafeMutableRawPointer?, Int32, Int32) -> Int32
    typealias PrerequestCallback =
        @convention(c) @Sendable (
            UnsafeMutableRawPointer?, UnsafePointer<CChar>?, UnsafePointer<CChar>?, Int32, Int32
        ) -> Int32
    typealias EventCallback =
        @convention(c) @Sendable (
            Handle?, Int32, Int32, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?
        ) -> Int32
    typealias TLSSetupCallback =
        @convention(c) @Sendable (Handle?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Int32

    typealias WebSocketReceive =
        @convention(c) @Sendable (
            Handle, UnsafeMutableRawPointer?, Int, UnsafeMutablePointer<Int>, UnsafeMutablePointer<UnsafeRawPointer?>
        ) -> Int32
    typealias WebSocketSend =
        @convention(c) @Sendable (
            Handle, UnsafeRawPointer?, Int, UnsafeMutablePointer<Int>, Int64, UInt32
        ) -> Int32

    let version: CurlVersion
    /// The encodings of a body that the library can decode.
    let encodings: [String]

    let easyInit: @convention(c) @Sendable () -> Handle?
    let easyCleanup: @convention(c) @Sendable (Handle) -> Void
    let easyReset: @convention(c) @Sendable (Handle) -> Void
    let easyPause: @convention(c) @Sendable (Handle, Int32) -> Int32
    let codeText: @convention(c) @Sendable (Int32) -> UnsafePointer<CChar>?
    let listAppend: @convention(c) @Sendable (Handle?, UnsafePointer<CChar>) -> Handle?
    let listFree: @convention(c) @Sendable (Handle?) -> Void

    let multiInit: @convention(c) @Sendable () -> Handle?
    let multiCleanup: @convention(c) @Sendable (Handle) -> Int32
    let multiAdd: @convention(c) @Sendable (Handle, Handle) -> Int32
    let multiRemove: @convention(c) @Sendable (Handle, Handle) -> Int32
    let multiPerform: @convention(c) @Sendable (Handle, UnsafeMutablePointer<Int32>) -> Int32
    let multiPoll: @convention(c) @Sendable (Handle, Handle?, UInt32, Int32, UnsafeMutablePointer<Int32>?) -> Int32
    let multiWakeup: @convention(c) @Sendable (Handle) -> Int32
    let multiPerformWithEvents: @convention(c) @Sendable (Handle, UnsafeMutablePointer<Int32>) -> Int32
    let multiInfo: @convention(c) @Sendable (Handle, UnsafeMutablePointer<Int32>) -> UnsafeRawPointer?

    let setLong: @convention(c) @Sendable (Handle, UInt32, Int) -> Int32
    let setInt64: @convention(c) @Sendable (Handle, UInt32, Int64) -> Int32
    let setPointer: @convention(c) @Sendable (Handle, UInt32, UnsafeRawPointer?) -> Int32
    let setTransfer: @convention(c) @Sendable (Handle, UInt32, DataCallback) -> Int32
    let setProgress: @convention(c) @Sendable (Handle, UInt32, ProgressCallback) -> Int32
    let setSeek: @convention(c) @Sendable (Handle, UInt32, SeekCallback) -> Int32
    let setSocket: @convention(c) @Sendable (Handle, UInt32, SocketCallback) -> Int32
    let setMultiLong: @convention(c) @Sendable (Handle, UInt32, Int) -> Int32
    let setMultiPointer: @convention(c) @Sendable (Handle, UInt32, UnsafeRawPointer?) -> Int32
    let setMultiEvents: @convention(c) @Sendable (Handle, UInt32, EventCallback) -> Int32
    let getLong: @convention(c) @Sendable (Handle, Int32, UnsafeMutablePointer<Int64>) -> Int32
    let getDouble: @convention(c) @Sendable (Handle, Int32, UnsafeMutablePointer<Double>) -> Int32

    /// The functions for WebSockets; `nil` if the library is too old for them.
    let webSocketReceive: WebSocketReceive?
    let webSocketSend: WebSocketSend?

    /// `SSL_CTX_clear_options` of the OpenSSL that libcurl uses; `nil` if libcurl does not use OpenSSL 3 or newer.
    let clearTLSOptions: (@convention(c) @Sendable (UnsafeMutableRawPointer, UInt64) -> UInt64)?

    /// `SSL_get_shutdown` of that OpenSSL; `nil` if libcurl does not use OpenSSL 3 or newer.
    let tlsShutdown: (@convention(c) @Sendable (UnsafeRawPointer) -> Int32)?

    /// The library of this process; opened when it is first used.
    static let shared = Result { try CurlLibrary(CurlSymbols()) }

    /// Finds all functions and starts the library.
    /// - Throws: ``CurlUnavailableError`` with the reason.
    init(_ symbols: CurlSymbols) throws(CurlUnavailableError) {
        let text = try Self.text(by: symbols)
        version = try Self.version(text)
        encodings = Self.encodings(text)
        let hasOpenSSL = hasOpenSSL3(text)
        unsafe clearTLSOptions = hasOpenSSL ? try? symbols.function("SSL_CTX_clear_options") : nil
        unsafe tlsShutdown = hasOpenSSL ? try? symbols.function("SSL_get_shutdown") : nil
        unsafe easyInit = try symbols.function("curl_easy_init")
        unsafe easyCleanup = try symbols.function("curl_easy_cleanup")
        unsafe easyReset = try symbols.function("curl_easy_reset")
        unsafe easyPause = try symbols.function("curl_easy_pause")
        unsafe codeText = try symbols.function("curl_easy_strerror")
        unsafe listAppend = try symbols.function("curl_slist_append")
        unsafe listFree = try symbols.function("curl_slist_free_all")
        unsafe multiInit = try symbols.function("curl_multi_init")
        unsafe multiCleanup = try symbols.function("curl_multi_cleanup")
        unsafe multiAdd = try symbols.function("curl_multi_add_handle")
        unsafe multiRemove = try symbols.function("curl_multi_remove_handle")
        unsafe multiPerform = try symbols.function("curl_multi_perform")
        unsafe multiPoll = try symbols.function("curl_multi_poll")
        unsafe multiWakeup = try symbols.function("curl_multi_wakeup")
        unsafe multiPerformWithEvents = try symbols.function("curl_multi_socket_all")
        unsafe multiInfo = try symbols.function("curl_multi_info_read")
        let hasWebSocketFunctions = version >= .webSockets
        unsafe webSocketReceive = hasWebSocketFunctions ? try symbols.function("curl_ws_recv") : nil
        unsafe webSocketSend = hasWebSocketFunctions ? try symbols.function("curl_ws_send") : nil
        unsafe setLong = try symbols.function("CFURLSession_easy_setopt_long")
        unsafe setInt64 = try symbols.function("CFURLSession_easy_setopt_int64")
        unsafe setPointer = try symbols.function("CFURLSession_easy_setopt_ptr")
        unsafe setTransfer = try symbols.function("CFURLSession_easy_setopt_wc")
        unsafe setProgress = try symbols.function("CFURLSession_easy_setopt_tc")
        unsafe setSeek = try symbols.function("CFURLSession_easy_setopt_seek")
        unsafe setSocket = try symbols.function("CFURLSession_easy_setopt_sc")
        unsafe setMultiLong = try symbols.function("CFURLSession_multi_setopt_l")
        unsafe setMultiPointer = try symbols.function("CFURLSession_multi_setopt_ptr")
        unsafe setMultiEvents = try symbols.function("CFURLSession_multi_setopt_sf")
        unsafe getLong = try symbols.function("CFURLSession_easy_getinfo_long")
        unsafe getDouble = try symbols.function("CFURLSession_easy_getinfo_double")
        try start(by: symbols)
    }

    /// Whether the library has the functions of WebSockets. It may still be built without the protocol.
    var hasWebSockets: Bool { unsafe webSocketReceive != nil && webSocketSend != nil }

    /// libcurl's fixed text for a result.
    func text(of code: CurlCode) -> String {
        // Bound: libcurl gives a terminated text that it never changes.
        unsafe codeText(code.rawValue).map { unsafe String(cString: $0) } ?? "unknown"
    }

    private static func text(by symbols: CurlSymbols) throws(CurlUnavailableError) -> String {
        let text: @convention(c) () -> UnsafePointer<CChar>? = unsafe try symbols.function("curl_version")
        // Bound: libcurl gives a terminated text that it never changes.
        return unsafe text().map { unsafe String(cString: $0) } ?? ""
    }

    private static func encodings(_ text: String) -> [String] {
        let words = text.split(separator: " ")
        let byLibrary = [("zlib/", ["gzip", "x-gzip", "deflate"]), ("brotli/", ["br"]), ("zstd/", ["zstd"])]
        return byLibrary.flatMap { prefix, names in words.contains { $0.hasPrefix(prefix) } ? names : [] }
    }

    private static func version(_ found: String) throws(CurlUnavailableError) -> CurlVersion {
        guard let version = CurlVersion(found), version >= .oldest else {
            let shown = CurlVersion(found)?.description ?? "a library without a version"
            throw CurlUnavailableError("expected libcurl \(CurlVersion.oldest) or newer, found \(shown)")
        }
        guard MemoryLayout<Int>.size == 8 else {
            throw CurlUnavailableError("expected a platform of 64 bits, found one of \(MemoryLayout<Int>.size * 8)")
        }
        return version
    }

    private func start(by symbols: CurlSymbols) throws(CurlUnavailableError) {
        // Before 7.84 `curl_global_init` is not thread-safe. URLSession calls it for its first session, so a session is
        // made first.
        if version < .threadSafeStart { URLSession(configuration: .ephemeral).invalidateAndCancel() }
        let start: @convention(c) (Int) -> Int32 = try symbols.function("curl_global_init")
        // CURL_GLOBAL_ALL
        let everything = 3
        guard start(everything) == 0 else { throw CurlUnavailableError("libcurl \(version) cannot be started") }
    }
}

/// Whether a text of `curl_version` names OpenSSL 3 or newer as the library in use: `libcurl/7.88.1 OpenSSL/3.0.19 …`.
/// Libraries that are not in use are in brackets.
private func hasOpenSSL3(_ text: String) -> Bool {
    guard let word = text.split(separator: " ").first(where: { $0.hasPrefix("OpenSSL/") }) else { return false }
    return word.dropFirst("OpenSSL/".count).split(separator: ".").first.flatMap { Int($0) }.map { $0 >= 3 } ?? false
}
#endif
