import Bilayer
import Foundation
import Testing

@testable import BilayerTesting

@Suite("Which names of a recording are secret")
struct RecordingNamesTests {
    @Test(
        "a credential word, or a name that ends in one",
        arguments: [
            "token", "access_token", "accessToken", "accesstoken", "refreshToken", "id_token", "csrf_token",
            "csrfmiddlewaretoken", "X-Amz-Security-Token", "X-Amz-Signature", "X-Amz-Credential", "sig", "signature",
            "secret", "client_secret", "clientSecret", "password", "userPassword", "newpassword", "passwd", "pwd", "pw",
            "passphrase", "passcode", "password_confirmation", "passwordHash", "password2", "user_pass",
            "authorization", "Authorization", "auth", "basic_auth", "oauth2", "authcode", "authorization_code",
            "api_key", "apiKey", "apikey", "APIKey", "x-api-key", "secret_key", "private_key", "subscription-key",
            "session_id", "sessionId", "sessionid", "session_uuid", "hmac_key", "JSESSIONID", "PHPSESSID",
            "session_key", "session_token", "sid",
            "cookie", "sessionCookie", "otp", "otp_code", "totp", "mfa", "mfa_code", "pin", "cardPin", "pin_code",
            "card[pin]", "card.pin", "jwt", "hmac", "dpop", "xsrf", "SAMLResponse", "client_assertion", "bearer",
            "credential", "security_code", "verification_code", "recovery_codes", "tokens", "api_keys", "credentials",
            "cookies", "secrets", "tokens[0]", "session", "pass", "passWord", "PassWord", "pass_word", "passPhrase",
            "pass_phrase", "pass-code", "user_pass_word", "passWordHash",
        ]
    )
    func secret(name: String) throws {
        let values = try recorded(name, "s3cr3t")
        #expect(!values.contains("s3cr3t"), "\(values)")
    }

    @Test(
        "data of an app",
        arguments: [
            "ticket", "ticket_id", "ticketId", "max_ticket_cost", "tickets", "key_name", "primary_key", "foreignKey",
            "hot_key", "hotkey", "monkey", "turkey", "whiskey", "sort_key", "public_key", "pin_count", "session_count",
            "token_count", "tokenType", "token_id", "session_length", "secretary", "author", "authored_by", "shipping",
            "spin", "compass", "boarding_pass", "passenger", "passport_number", "verification_status", "signed_at",
            "cookie_consent", "password_required", "id", "code", "promo_code", "bypass_code", "key_phrase", "word",
        ]
    )
    func data(name: String) throws {
        let values = try recorded(name, "plain")
        #expect(values.filter { $0 == "plain" }.count == 3, "\(values)")
        #expect(try recorded(name, "plain", keeping: [name], redacting: [name]).contains("plain") == false)
    }

    @Test("the key of a query is a credential, that of a member is data")
    func keyOfAQuery() throws {
        #expect(try recorded("key", "AIza") == ["redacted", "AIza", "AIza"])
        #expect(try recorded("key", "AIza", keeping: ["key"]) == ["AIza", "AIza", "AIza"])
    }

    @Test("names to keep stay, inside of a secret member, too")
    func kept() throws {
        #expect(try recorded("pin", "Paris", keeping: ["PIN"]) == ["Paris", "Paris", "Paris"])
        let names = SecretNames(keeping: ["kind"])
        let body: Json = ["auth": ["kind": "basic", "value": "s3cr3t"]]
        #expect(try names.key(body).body == #"{"auth":{"kind":"basic","value":"redacted"}}"#)
    }

    @Test("numbers of lists are counts, and objects of a session are data")
    func countsAndObjects() throws {
        let body: Json = [
            "max_tokens": 100, "tokens": [7, "s3cr3t"], "session": ["title": "Keynote"], "pin": 1234,
        ]
        #expect(
            try SecretNames().key(body).body
                == #"{"max_tokens":100,"pin":0,"session":{"title":"Keynote"},"tokens":[0,"redacted"]}"#
        )
    }

    @Test("a member of a GraphQL answer that is called ticket stays")
    func ticketOfAnAnswer() throws {
        let body: Json = ["data": ["ticket": ["state": "WON", "ticketId": "7"]]]
        #expect(try SecretNames().key(body).body == #"{"data":{"ticket":{"state":"WON","ticketId":"7"}}}"#)
    }

    @Test("header fields have the wider rule of descriptions")
    func fields() {
        #expect(SecretNames().hides(field: "X-Functions-Key"))
        #expect(SecretNames().hides(field: "X-Session-Count"))
        #expect(!SecretNames(keeping: ["x-session-count"]).hides(field: "X-Session-Count"))
        #expect(SecretNames(redacting: ["x-user"]).hides(field: "X-User"))
    }

    /// Records the value as an item of a query, as one of a form, and as a member of JSON.
    private func recorded(
        _ name: String,
        _ value: String,
        keeping: Set<String> = [],
        redacting: Set<String> = []
    ) throws -> [String] {
        let names = SecretNames(redacting: redacting, keeping: keeping)
        var address = try #require(URLComponents(string: "https://example.com/a"))
        address.queryItems = [URLQueryItem(name: name, value: value)]
        let form = HTTPRequest(
            method: .post,
            url: try #require(address.url),
            headers: [.contentType: "application/x-www-form-urlencoded"],
            body: .data(Data("\(name)=\(value)".utf8))
        )
        let key = names.key(of: form).key
        let member = try Json(parsing: names.key(Json(members: [(key: name, value: Json(value))])).body)
        return [
            key.target.split(separator: "=").last.map(String.init) ?? "",
            key.body.split(separator: "=").last.map(String.init) ?? "", member[name]?.string ?? "",
        ]
    }
}

extension SecretNames {
    fileprivate func key(_ body: Json) throws -> Recording.RequestKey {
        key(
            of: HTTPRequest(
                method: .post,
                url: URL("https://example.com/a"),
                headers: [.contentType: "application/json"],
                body: .data(body.serialized())
            )
        )
        .key
    }
}
