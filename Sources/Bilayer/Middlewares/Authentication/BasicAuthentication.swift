import Foundation

/// A middleware that adds a user name and a password to each request (RFC 7617), in UTF-8.
///
/// Use it only over `https`, because the header field is not encrypted otherwise. Like the token of ``Authentication``,
/// the field is added only to requests to the origin of the client's base address. It is not added to a request that
/// already has an `Authorization` field, nor for a route with the option ``CredentialPolicy/omitted``.
///
/// Calls with another name or password belong to another user. They share no request with this user's calls
/// (``Deduplication``, ``OperationBatching``), and do not resume this user's downloads.
///
/// ```swift
/// let transport = URLSessionTransport().wrapped(by: .basicAuthentication(user: "ada", password: token))
/// ```
public struct BasicAuthentication: Middleware {
    private let user: String
    private let password: String
    let userSource: any UserSource

    /// Makes the middleware.
    /// - Parameters:
    ///   - user: The user name. It must not have a colon or a control character.
    ///   - password: The password. It must not have a control character.
    public init(user: String, password: String) {
        self.user = user
        self.password = password
        userSource = FixedUser(of: user, password)
    }

    /// Adds the header field.
    /// - Throws: ``AuthenticationError`` if the user name has a colon, or if the user name or the password has a
    ///   control character. Also the errors of the nodes inside.
    public func intercept(
        _ request: HTTPRequest,
        in context: CallContext,
        next: some Node<HTTPRequest, HTTPResponse>
    ) async throws -> HTTPResponse {
        guard request.mayHaveCredentials(in: context) else { return try await next.process(request, in: context) }
        let found: String? =
            if user.unicodeScalars.contains(":") {
                "a colon in the user name"
            } else if user.hasControlCharacter {
                "a control character in the user name"
            } else {
                password.hasControlCharacter ? "a control character in the password" : nil
            }
        if let found { throw AuthenticationError(.invalidUserName, "found \(found) (RFC 7617 §2)") }
        var request = request
        request.headers[.authorization] = "Basic " + Data("\(user):\(password)".utf8).base64EncodedString()
        return try await next.process(request, in: context)
    }
}

extension Middleware where Self == BasicAuthentication {
    /// Adds a user name and a password to each request (RFC 7617).
    /// - Parameters:
    ///   - user: The user name. It must not have a colon or a control character.
    ///   - password: The password. It must not have a control character.
    /// - Returns: The middleware.
    public static func basicAuthentication(user: String, password: String) -> BasicAuthentication {
        BasicAuthentication(user: user, password: password)
    }
}

extension BasicAuthentication: SendsForUser {}

extension String {
    fileprivate var hasControlCharacter: Bool {
        unicodeScalars.contains { $0.properties.generalCategory == .control }
    }
}

extension BasicAuthentication: Redacted {}
