import Foundation

extension URL {
    /// The host with its port, in lower case.
    var hostAndPort: String {
        let port = port ?? (scheme?.lowercased() == "https" ? 443 : 80)
        return "\(host()?.lowercased() ?? ""):\(port)"
    }
}

extension HTTPRequest {
    /// The host of the address with its port, in lower case.
    var hostAndPort: String { url.hostAndPort }
}
