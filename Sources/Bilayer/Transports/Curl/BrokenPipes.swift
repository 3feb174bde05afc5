#if os(Linux)
#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// OpenSSL writes without the flag that keeps a broken connection from ending the process.
package func blockBrokenPipes() {
    var signals = sigset_t()
    // Bound: the calls write and read the variable, and change the mask of this thread alone.
    _ = unsafe sigemptyset(&signals)
    _ = unsafe sigaddset(&signals, SIGPIPE)
    _ = unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
}
#endif
