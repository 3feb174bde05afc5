import Foundation

// The descriptions of the parts of a request and a response. Those of requests, responses, headers and errors are
// beside their declarations.

extension MediaType: Redacted {
    /// Type and subtype. Parameters are left out.
    public var description: String { essence }
}

extension HTTPRequest: Redacted {
    /// Method and address, and the body's size: `POST https://api.example.com/users/{id}?token=…, 18 B`.
    ///
    /// User info, query values and fragment are left out. The arguments of a route are shown by their names. The path
    /// of a request that was made without a route is shown unchanged.
    public var description: String { described(as: nil) }

    /// The description, with the names of a route's arguments if the request has no route.
    func described(as route: Endpoint?) -> String {
        let address = redactedAddress(url.absoluteString)
        let route = endpoint ?? route
        let shown = route?.namingArguments(in: address) ?? address
        let operation = route?.operation.map { " (\($0))" } ?? ""
        return "\(method) \(shown)\(operation)" + (body.map { ", \($0)" } ?? "")
    }
}
