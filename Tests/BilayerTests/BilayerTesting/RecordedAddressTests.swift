import Bilayer
import Foundation
import Testing

@testable import BilayerTesting

@Suite("Secrets in the addresses of a recording")
struct RecordedAddressTests {
    @Test(
        "secrets are found in relative addresses of the fields that have them",
        arguments: [
            ("Link", "</users;jsessionid=s3cr3t>; rel=\"next\""), ("Link", "<users;token=s3cr3t?page=2>; rel=\"next\""),
            ("Link", "<//ada:s3cr3t@e.example/users>; rel=\"next\""), ("Location", "home;token=s3cr3t"),
            ("Location", "./home;token=s3cr3t"), ("Location", "../home;token=s3cr3t"),
            ("Content-Location", "home;token=s3cr3t/b"), ("Refresh", "0;url=home;jsessionid=s3cr3t"),
            ("X-Next", "see </users;token=s3cr3t>"), ("X-Next", "<//ada:s3cr3t@e.example/users>"),
        ]
    )
    func fields(name: String, value: String) async throws {
        let answer = try await RecordedAnswer(headers: [HTTPHeaders.Name(name): value])
        let shown = try #require(answer.headers[HTTPHeaders.Name(name)])
        #expect(shown == value.replacing(/(ada:)?s3cr3t/, with: "redacted-1"))
    }

    @Test(
        "secrets are found in relative addresses of JSON and of queries",
        arguments: [
            "users;jsessionid=s3cr3t", "./home;token=s3cr3t", "../home;token=s3cr3t", "home;JSESSIONID=s3cr3t?page=2",
            "go to /home;token=s3cr3t now", "</users;token=s3cr3t>", "<//ada:s3cr3t@e.example/x>",
            "//ada:s3cr3t@e.example/x", "home;PHPSESSID=s3cr3t",
        ]
    )
    func texts(address: String) async throws {
        let body: Json = ["next": Json(address), "page": 2]
        let answer = try await RecordedAnswer("application/json", body.serialized())
        #expect(try Json(parsing: answer.body)["next"]?.string?.contains("redacted-1") == true)
        let value = try #require(address.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        let nested = try await RecordedAnswer(target: "a?next=\(value)&page=2")
        #expect(nested.request.target.contains("redacted") && nested.request.target.hasSuffix("&page=2"))
        #expect(!(answer.everything + nested.everything).contains("s3cr3t"))
    }

    @Test("the code of an authorization is a secret: it has a state beside it")
    func codes() async throws {
        for location in ["/cb?code=s3cr3t&state=q1", "cb#state=q1&code=s3cr3t"] {
            let answer = try await RecordedAnswer(headers: [.location: location], target: "cb?code=s3cr3t&state=q1")
            #expect(answer.headers[.location] == location.replacing("s3cr3t", with: "redacted-1"))
            #expect(answer.request.target == "/cb?code=redacted&state=q1")
        }
        #expect(try await RecordedAnswer(target: "cb?code=94110&n=1").request.target == "/cb?code=94110&n=1")
        let form = try await RecordedAnswer("application/x-www-form-urlencoded", "code=94110&state=CA")
        #expect(form.text == "code=94110&state=CA")
    }
}
