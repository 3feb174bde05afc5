// Only on these platforms can a process start another one.
#if os(macOS) || os(Linux)
import Bilayer
import BilayerTesting
import Foundation
import Testing

/// The demo as a process of its own, started as a user would start it.
@Suite(.timeLimit(.minutes(5))) struct BilayerDemoTests {
    private let demo = BuiltCommand("BilayerDemo")

    @Test func showsEveryStageAndSucceeds() throws {
        let run = try demo.run()
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.errors.isEmpty)
        let lines = run.output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        let expected = [
            "1. A list, up through both layers",
            "pipeline  request encoding: ",
            "Accept: application/json",
            "bytes     200 OK, 138 B, application/json",
            "Json      array of 2",
            #"UserEntry(name: "Grace", age: 85, type: MemberKind.member, photos: [])"#,
            #"User(name: "Grace", isOwner: false, photos: [])"#,
            "2. One user, or none",
            "ok        null is nil",
            "3. A model, down both layers and up again",
            #"model     Photo(id: "p9", image: https://img.example/9.png)"#,
            #"entry     PhotoEntry(id: "p9", ref: "https://img.example/9.png")"#,
            "bytes     201 Created, 45 B, application/json",
            "4. Answers that break the contract",
            "ok        found at $[1].age",
            "ok        found at $[0].photos[0].ref",
            "5. A node of one's own",
            "ok        the envelope is off",
            "6. Elements while they arrive",
            "ok        each event is a model as soon as it is there",
            "7. Pages as one sequence",
            "ok        two pages, one loop",
            "8. A form",
            "ok        written as a browser would",
            "9. A file up and down, with progress",
            "down      [########################################] 3.0 MB of 3.0 MB",
            "ok        the file is there, whole",
            "10. GraphQL, through the same stages",
            "ok        why a field has no value: reason(at: \"user.photos[1].ref\")",
            "11. From the old server to the new one, in shadow mode",
            "ok        both servers made the same user",
            "ok        a difference is reported by its path, not by its values",
            "All steps went as they should.",
        ]
        var rest = lines[...]
        for line in expected {
            let place = try #require(
                rest.firstIndex { $0.hasPrefix(line) },
                "\(line)\nis missing or in the wrong place:\n\(run.output)"
            )
            rest = rest[place...].dropFirst()
        }
        #expect(run.output.contains("$[1].age: wrong type: expected Int, found string (7 characters) in UserEntry"))
        #expect(run.output.contains(#""ref":"https://img.example/9.png""#))
        #expect(run.output.contains("required by PhotoEntry -> Photo at Models.swift:"))
    }

    @Test func fetchesAnAddress() async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/v1/users/%7Bid%7D?page=2", .json(#"{"a":[1,2.50],"b":{}}"#))
        let base = server.url.absoluteString + "/v1"
        for arguments in [
            ["--base-url", base, "--path", "users/{id}?page=2"], ["--path=/users/{id}?page=2", "--base-url=\(base)/"],
        ] {
            let run = try demo.run(arguments)
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.output == "{\n  \"a\": [\n    1,\n    2.50\n  ],\n  \"b\": {}\n}\n")
        }
        #expect(server.requests.count == 2)
    }

    @Test(arguments: [
        (Reply.text("<html></html>", contentType: "text/html"), "expected application/json, found text/html (13 B)"),
        (.status(404), "404 Not Found"), (.json("[1,"), "not valid application/json"),
        (.closeBeforeAnswer, "connection lost"),
    ])
    func saysWhatWentWrong(reply: Reply, message: String) async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/x", reply)
        let run = try demo.run(["--base-url", server.url.absoluteString, "--path", "x"])
        #expect(run.status == 1)
        #expect(run.output.isEmpty)
        #expect(run.errors.hasPrefix("BilayerDemo: GET \(server.url.absoluteString)/x"), "\(run.errors)")
        #expect(run.errors.contains(message), "\(run.errors)")
    }

    @Test(arguments: [
        (["tour"], "unknown argument tour"), (["--bas-url", "http://h"], "unknown argument --bas-url"),
        (["--path", "x"], "--path needs --base-url"), (["--base-url", "http://h"], "--base-url needs --path"),
        (["--base-url"], "--base-url needs a value"), (["--path", "x", "--path", "y"], "--path is there twice"),
        (["--base-url", "h", "--path", "x"], "expected an http or https address, found h"),
        (["--base-url", "ftp://h", "--path", "x"], "expected an http or https address, found ftp://h"),
        (["--base-url=http://", "--path", "x"], "expected an http or https address"),
    ])
    func refusesBadArguments(arguments: [String], message: String) throws {
        let run = try demo.run(arguments)
        #expect(run.status == 64)
        #expect(run.output.isEmpty)
        #expect(run.errors.contains(message), "\(run.errors)")
        #expect(run.errors.contains("Usage:"))
    }

    @Test(arguments: [["--help"], ["-h"], ["--base-url", "http://h", "--help"]])
    func helps(arguments: [String]) throws {
        let run = try demo.run(arguments)
        #expect(run.status == 0)
        #expect(run.output.contains("BilayerDemo --base-url URL --path PATH"))
    }
}
#endif
