import Bilayer
import Testing

@Suite("HTTPHeaders")
struct HTTPHeadersTests {
    @Test(
        "fragments of addresses are left out of descriptions",
        arguments: ["/cb#access_token=SECRET", "</m#SECRET>; rel=next", "cb#token=SECRET", "https://h.example/#SECRET"]
    )
    func fragments(value: String) {
        let headers: HTTPHeaders = ["Location": value, "Link": value]
        #expect(!headers.description.contains("SECRET") && !String(reflecting: headers).contains("SECRET"))
    }

    @Test(
        "a number sign in a value that is no address stays",
        arguments: ["\"abc#1\"", "C#", "#1"]
    )
    func numberSigns(value: String) {
        #expect((["ETag": value] as HTTPHeaders).description.contains(value))
    }

    @Test func namesAreComparedWithoutCase() {
        let headers: HTTPHeaders = ["content-TYPE": "text/plain"]
        #expect(headers[.contentType] == "text/plain")
        #expect(headers["Content-Type"] == "text/plain")
        #expect(HTTPHeaders.Name("ETAG") == .eTag)
        #expect(HTTPHeaders.Name("ETAG").hashValue == HTTPHeaders.Name.eTag.hashValue)
        #expect(HTTPHeaders.Name("É") != "é", "only ASCII letters have case here")
    }

    @Test func orderAndSpellingAreKept() {
        var headers: HTTPHeaders = ["B": "1", "a": "2"]
        headers.append("3", for: "C")
        headers.append("4", for: "b")
        #expect(headers.map(\.name.rawValue) == ["B", "a", "C", "b"])
        #expect(headers.map(\.value) == ["1", "2", "3", "4"])
    }

    @Test func repeatedFieldsAreKeptAndReadAsOne() {
        let headers: HTTPHeaders = ["X-Tag": "a", .cookie: "k=1", "x-tag": "b, c", "Cookie": "l=2"]
        #expect(headers.count == 4)
        #expect(headers.values(for: "X-TAG") == ["a", "b, c"])
        #expect(headers["x-tag"] == "a, b, c")
        #expect(headers[.cookie] == "k=1; l=2")
        #expect(headers[.accept] == nil)
        #expect(headers.values(for: .accept).isEmpty)
    }

    @Test func settingReplacesAllAtTheFirstPlace() {
        var headers: HTTPHeaders = ["A": "1", "B": "2", "a": "3"]
        headers["a"] = "4"
        #expect(headers.map(\.description) == ["a: 4", "B: 2"])
        headers["A"] = nil
        #expect(headers.map(\.description) == ["B: 2"])
        headers["C"] = ""
        #expect(headers["C"] == "", "an empty value is a value")
    }

    @Test(arguments: ["\r", "\n", "\0", "a\r\nX-Evil: 1", "a\nb", "a\0b", "\r\n", "é\r"])
    func valuesThatWouldSplitTheFieldNeverGetIn(value: String) {
        var headers: HTTPHeaders = ["X-Trace": "good", "Other": "1"]
        headers["X-Trace"] = value
        #expect(headers["X-Trace"] == nil)
        #expect(headers.refused == ["x-trace"])
        #expect(headers.map(\.value) == ["1"])
        #expect(!headers.description.contains("Evil"))

        headers.append(value, for: "X-Trace")
        #expect(headers.refused.count == 1, "a name is listed once")
        #expect(([("X", value)].reduce(into: HTTPHeaders()) { $0.append($1.1, for: "X") }).isEmpty)

        headers["X-Trace"] = "good again"
        #expect(headers.refused.isEmpty)
        #expect(headers["X-Trace"] == "good again")
    }

    @Test(arguments: ["", " ", "X Y", "X:", "X\r\nEvil", "X\0", "Ünï", "(x)", "X-Trace\r"])
    func namesThatAreNoTokensNeverGetIn(name: String) {
        var headers = HTTPHeaders()
        headers.append("1", for: HTTPHeaders.Name(name))
        #expect(headers.isEmpty)
        #expect(headers.refused.map(\.rawValue) == [name])
        #expect(!headers.refused.description.contains("\r"))
        headers.remove(HTTPHeaders.Name(name))
        #expect(headers.refused.isEmpty)
    }

    @Test(arguments: ["tab\tinside", "é", "\"quoted\"", "a:b", "\u{7F}", " spaces "])
    func otherValuesAreKeptAsTheyAre(value: String) {
        let headers: HTTPHeaders = ["X": value]
        #expect(headers["X"] == value)
        #expect(headers.refused.isEmpty)
    }

    @Test(arguments: [
        "Authorization", "proxy-authorization", "Cookie", "Set-Cookie", "X-API-Key", "Api-Key", "X-Auth-Token",
        "X-CSRF-Token",
        "SAMLResponse", "PINCode", "X-OTPCode", "pin1", "PHPSESSID", "X-Amz-Security-Token", "X-Goog-Api-Key",
        "X-Client-Secret", "X-Session-Id", "Signature", "DPoP", "dpop", "X-PinCode", "x-pincode", "X-JWTAssertion",
        "x-jwtassertion", "x-mfacode", "X-UserPass", "X-AppSid", "x-appsid", "AccessKeyId", "accesskeyid",
        "x-userpin", "X-UserPin", "x-cardpin", "x-clientjwt", "x-userpincode",
    ])
    func secretsStayOutOfTheText(name: String) {
        let headers: HTTPHeaders = [HTTPHeaders.Name(name): "s3cr3t", .accept: "text/plain"]
        #expect(headers.description == "\(name): <redacted>\nAccept: text/plain")
        #expect(!String(reflecting: headers).contains("s3cr3t"))
        #expect(!"\(Array(headers))".contains("s3cr3t"))
        var dumped = ""
        dump(headers, to: &dumped)
        #expect(!dumped.contains("s3cr3t"))
    }

    @Test func addressesLoseTheirSecrets() {
        let headers: HTTPHeaders = [.location: "https://u:p@h.example/cb?code=s3cr3t#s3cr3t"]
        #expect(headers.description == "Location: https://h.example/cb?code=…")
    }

    @Test("a session in a path is left out, and parameters of a media type are not") func pathParameters() {
        let headers: HTTPHeaders = [
            .location: "home;jsessionid=s3cr3t", "Link": "</home;jsessionid=s3cr3t>; rel=next",
            .contentType: "text/html;charset=utf-8",
        ]
        #expect(
            headers.description
                == "Location: home;…\nLink: </home;…>; rel=next\nContent-Type: text/html;charset=utf-8"
        )
    }

    @Test func equalityIsOrderedAndWithoutCaseInNames() {
        #expect(HTTPHeaders(dictionaryLiteral: ("A", "1")) == ["a": "1"])
        #expect(HTTPHeaders(dictionaryLiteral: ("A", "1"), ("B", "2")) != ["B": "2", "A": "1"])
        #expect(HTTPHeaders(dictionaryLiteral: ("A", "x")) != ["A": "X"])
    }
}
