#if os(Linux)
#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Blocks `SIGPIPE` in this thread. OpenSSL writes without the flag that prevents this signal, so a broken connection
/// would otherwise end the process.
package func blockBrokenPipes() {
    var signals = sigset_t()
    // Bound: the calls write and read the variable, and change the mask of this thread alone.
    _ = unsafe sigemptyset(&signals)
    _ = unsafe sigaddset(&signals, SIGPIPE)
    _ = unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
}
#endif
