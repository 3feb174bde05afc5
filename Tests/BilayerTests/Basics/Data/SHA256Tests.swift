import Foundation
import Testing

@testable import Bilayer

/// The vectors of FIPS 180-4, and lengths around the ends of blocks.
@Suite("SHA-256")
struct SHA256Tests {
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            String(repeating: "a", count: 55),
            "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"
        ),
        (
            String(repeating: "a", count: 1_000_000),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        ),
        (
            String(repeating: "a", count: 64),
            "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"
        ),
    ])
    func theDigestIsThatOfTheStandard(text: String, digest: String) {
        #expect(SHA256.hexadecimal(of: text) == digest)
    }

    #if os(Linux)
    @Test(
        "every length of the last block is digested as another program does",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/sha256sum"))
    )
    func everyLengthOfTheLastBlock() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "digests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let texts = (0...130).map { String(repeating: "é", count: $0 / 2) + String(repeating: "x", count: $0 % 2) }
        let files = try texts.enumerated()
            .map { index, text in
                let file = folder.appending(path: String(index))
                try Data(text.utf8).write(to: file)
                return file.path
            }
        let output = String(
            decoding: try ChildProcess.output(of: ["/usr/bin/sha256sum"] + files),
            as: UTF8.self
        )
        #expect(output.split(separator: "\n").map { String($0.prefix(64)) } == texts.map(SHA256.hexadecimal))
    }
    #endif
}
