public import Bilayer
public import Foundation

// Complete and well-formed responses with any status, waits before a response, and raw bytes.
extension Reply {
    /// Sends JSON text. The text is sent unchanged, even if it is not valid JSON.
    public static func json(_ text: String, status: HTTPStatus = 200, headers: HTTPHeaders = [:]) -> Reply {
        json(Data(text.utf8), status: status, headers: headers)
    }

    /// Sends bytes of JSON, unchanged.
    public static func json(_ body: Data, status: HTTPStatus = 200, headers: HTTPHeaders = [:]) -> Reply {
        data(body, contentType: "application/json", status: status, headers: headers)
    }

    /// Sends plain text.
    public static func text(
        _ text: String,
        contentType: String = "text/plain; charset=utf-8",
        status: HTTPStatus = 200,
        headers: HTTPHeaders = [:]
    ) -> Reply {
        data(Data(text.utf8), contentType: contentType, status: status, headers: headers)
    }

    /// Sends bytes as the body.
    public static func data(
        _ body: Data,
        contentType: String = "application/octet-stream",
        status: HTTPStatus = 200,
        headers: HTTPHeaders = [:]
    ) -> Reply {
        let own: HTTPHeaders = [.contentType: contentType, .contentLength: "\(body.count)"]
        return Reply([head(status, own, headers), .body(body)] + closing(headers))
    }

    /// Sends a response without a body. It has `Content-Length: 0`, unless the status cannot have a body (1xx, 204,
    /// 304).
    public static func status(_ status: HTTPStatus, headers: HTTPHeaders = [:]) -> Reply {
        let isBodiless = status.isInformational || status == 204 || status == 304
        return Reply([head(status, isBodiless ? [:] : [.contentLength: "0"], headers)] + closing(headers))
    }

    /// Redirects the client to another path or address.
    public static func redirect(to location: String, status: HTTPStatus = 302) -> Reply {
        .status(status, headers: [.location: location])
    }

    /// Requests a user name and a password (RFC 7617): 401 with a JSON body.
    public static func basicChallenge(realm: String = "tests", body: String = #"{"error":"unauthorized"}"#) -> Reply {
        .json(body, status: 401, headers: [.wwwAuthenticate: "Basic realm=\"\(realm)\""])
    }

    /// Sends the body in chunks (RFC 9112 §7.1), with a pause between two chunks.
    public static func chunked(
        _ pieces: [Data],
        every pause: Duration = .zero,
        contentType: String = "application/json",
        status: HTTPStatus = 200,
        headers: HTTPHeaders = [:]
    ) -> Reply {
        let own: HTTPHeaders = [.contentType: contentType, "Transfer-Encoding": "chunked"]
        let chunks = pieces.map { Action.body(chunk($0)) }
        let spaced = Array(chunks.map { [$0] }.joined(separator: pause > .zero ? [.pause(pause)] : []))
        return Reply([head(status, own, headers)] + spaced + [.body("0\r\n\r\n")] + closing(headers))
    }

    /// Sends the texts as the chunks of a body, with a pause between two chunks.
    public static func chunked(
        _ pieces: [String],
        every pause: Duration = .zero,
        contentType: String = "application/json",
        status: HTTPStatus = 200,
        headers: HTTPHeaders = [:]
    ) -> Reply {
        chunked(pieces.map { Data($0.utf8) }, every: pause, contentType: contentType, status: status, headers: headers)
    }

    /// Waits for a duration, then sends another reply.
    public static func delayed(_ duration: Duration, then reply: Reply = .json("{}")) -> Reply {
        Reply([.pause(duration)] + reply.actions)
    }

    /// Waits until ``FaultServer/release()``, then sends another reply.
    public static func held(then reply: Reply = .json("{}")) -> Reply {
        Reply([.hold] + reply.actions)
    }

    /// Sends these bytes and keeps the connection open.
    public static func raw(_ bytes: Data) -> Reply { Reply(.head(bytes)) }

    /// Sends this text and keeps the connection open.
    public static func raw(_ text: String) -> Reply { Reply(.head(text)) }
}

extension Reply {
    /// Returns the action for a status line and header fields. Given fields replace the reply's own fields of the same
    /// name.
    static func head(_ status: HTTPStatus, _ own: HTTPHeaders, _ given: HTTPHeaders = [:]) -> Action {
        let kept = own.filter { field in !given.contains { $0.name == field.name } }
        let lines = (kept + Array(given)).map { "\($0.name.rawValue): \($0.value)\r\n" }
        return .head("HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\n\(lines.joined())\r\n")
    }

    static func chunk(_ piece: Data) -> Data {
        Data("\(String(piece.count, radix: 16))\r\n".utf8) + piece + Data("\r\n".utf8)
    }

    /// Returns an action that closes the connection if the fields contain `Connection: close`. Otherwise returns none.
    private static func closing(_ headers: HTTPHeaders) -> [Action] {
        headers["Connection"]?.lowercased() == "close" ? [.close] : []
    }
}
