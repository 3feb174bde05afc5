import Foundation

// What the parts of a request and a response show. Requests, responses, headers and errors say it beside their
// declarations.

extension MediaType: Redacted {
    /// Type and subtype. Parameters are left out.
    public var description: String { essence }
}

extension HTTPRequest: Redacted {
    /// Method and address, and the body's size: `POST https://api.example.com/users/{id}?token=…, 18 B`.
    ///
    /// User info, query values and fragment are left out. Arguments of a route are shown by their names; the path of a
    /// request that was made without a route is shown as it is.
    public var description: String { described(as: nil) }

    /// The description, with the names of a route's arguments where the request does not say what route it was made
    /// from.
    func described(as route: Endpoint?) -> String {
        let address = redactedAddress(url.absoluteString)
        let shown = (endpoint ?? route)?.namingArguments(in: address) ?? address
        return "\(method) \(shown)" + (body.map { ", \(byteCountText($0.count))" } ?? "")
    }
}
