#if os(Linux)
public import Foundation

/// The proxy of a ``CurlTransport``.
///
/// Hosts of the loopback interface (`localhost`, 127.0.0.0/8, `::1`, in every form of these addresses) are reached
/// without a proxy, unless ``isForLoopback`` is set.
///
/// ```swift
/// var settings = CurlSettings()
/// if let address = URL(string: "http://proxy.example.com:3128") {
///     settings.proxy = .server(address, exceptHosts: ["internal.example.com"])
/// }
/// ```
public struct CurlProxy: Sendable, Hashable {
    enum Choice: Sendable, Hashable {
        case environment
        case none
        case server(URL, exceptHosts: [String])
    }

    let choice: Choice
    /// Whether hosts of the loopback interface are reached through the proxy, too.
    public var isForLoopback = false

    /// The proxy that the environment variables `http_proxy`, `https_proxy` and `all_proxy` name, except for the hosts
    /// in `no_proxy`. All of these but `http_proxy` may also be in capitals. If the variables name none, no proxy is
    /// used.
    public static let environment = CurlProxy(choice: .environment)
    /// No proxy. The environment is ignored.
    public static let none = CurlProxy(choice: .none)

    /// Returns one proxy for all hosts except some.
    /// - Parameters:
    ///   - address: The address of the proxy, with the scheme `http`, `https`, `socks5` or `socks5h`, and with user and
    ///     password if the proxy requires them.
    ///   - exceptHosts: Hosts and domains that are reached without the proxy.
    /// - Returns: The proxy.
    public static func server(_ address: URL, exceptHosts: [String] = []) -> CurlProxy {
        CurlProxy(choice: .server(address, exceptHosts: exceptHosts))
    }
}

extension CurlProxy: Redacted {
    /// The name of the type alone, because the address can have a password.
    public var description: String { typeName(Self.self) }
}
#endif
