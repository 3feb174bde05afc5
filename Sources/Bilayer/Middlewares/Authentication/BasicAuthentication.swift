import Foundation

/// Adds a user name and a password to each request (RFC 7617), in UTF-8.
///
/// Choose it only over `https`: the header field is readable text for everyone on the way. It goes to the origin of the
/// client's base address only, as a token of ``Authentication`` does, and not to a route with
/// ``CredentialPolicy/omitted``. Calls with another name or password are those of another user: they share no request
/// with these (``Deduplication``, ``OperationBatching``), and continue no part of their downloads.
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
    ///   - user: The user name; it cannot have a colon.
    ///   - password: The password.
    public init(user: String, password: String) {
        self.user = user
        self.password = password
        userSource = FixedUser(of: user, password)
    }

    /// Adds the header field.
    /// - Throws: ``AuthenticationError`` if the user name has a colon or a control character, and the errors of the
    ///   nodes inside.
    public func intercept(
        _ request: HTTPRequest,
        in context: CallContext,
        next: some Node<HTTPRequest, HTTPResponse>
    ) async throws -> HTTPResponse {
        guard request.mayHaveCredentials(in: context) else { return try await next.process(request, in: context) }
        guard !user.contains(":"),
            !(user + password).unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else {
            throw AuthenticationError(.invalidUserName, "found a colon or a control character (RFC 7617 §2)")
        }
        var request = request
        request.headers[.authorization] = "Basic " + Data("\(user):\(password)".utf8).base64EncodedString()
        return try await next.process(request, in: context)
    }
}

extension Middleware where Self == BasicAuthentication {
    /// Adds a user name and a password to each request (RFC 7617).
    /// - Parameters:
    ///   - user: The user name.
    ///   - password: The password.
    /// - Returns: The middleware.
    public static func basicAuthentication(user: String, password: String) -> BasicAuthentication {
        BasicAuthentication(user: user, password: password)
    }
}

extension BasicAuthentication: SendsForUser {}

extension BasicAuthentication: Redacted {}
