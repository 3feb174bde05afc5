public import Bilayer
import Foundation

// Replies that require something from the client: credentials or a wait.
extension Reply {
    /// Requests a bearer token (RFC 6750 §3): 401 with a JSON body.
    public static func bearerChallenge(realm: String = "tests") -> Reply {
        challenge(401, "WWW-Authenticate", "Bearer realm=\"\(realm)\", error=\"invalid_token\"")
    }

    /// Requests digest authentication (RFC 7616 §3.3): 401 with a JSON body.
    public static func digestChallenge(realm: String = "tests", nonce: String = "n0nce") -> Reply {
        let value = "Digest realm=\"\(realm)\", qop=\"auth\", algorithm=SHA-256, nonce=\"\(nonce)\""
        return challenge(401, "WWW-Authenticate", value)
    }

    /// Requests credentials for a proxy (RFC 9110 §15.5.8): 407 with a JSON body.
    public static func proxyChallenge(realm: String = "tests") -> Reply {
        challenge(407, "Proxy-Authenticate", "Basic realm=\"\(realm)\"")
    }

    /// Requests that the client repeats its request later (RFC 9110 §10.2.3).
    /// - Parameters:
    ///   - value: The text of `Retry-After`, sent unchanged: seconds, an HTTP date, or invalid text.
    ///   - status: 429 or 503.
    /// - Returns: The reply.
    public static func retryAfter(_ value: String, status: HTTPStatus = 503) -> Reply {
        .json(#"{"error":"later"}"#, status: status, headers: [.retryAfter: value])
    }

    private static func challenge(_ status: HTTPStatus, _ name: HTTPHeaders.Name, _ value: String) -> Reply {
        .json(#"{"error":"unauthorized"}"#, status: status, headers: [name: value])
    }
}
