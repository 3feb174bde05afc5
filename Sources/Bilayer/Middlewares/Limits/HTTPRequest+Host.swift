import Foundation

extension HTTPRequest {
    /// The host of the address with its port, in lower case.
    var hostAndPort: String {
        let port = url.port ?? (url.scheme?.lowercased() == "https" ? 443 : 80)
        return "\(url.host()?.lowercased() ?? ""):\(port)"
    }
}
