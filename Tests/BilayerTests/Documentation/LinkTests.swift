import Foundation
import Testing

/// The links of the README and of CONTRIBUTING lead to files that exist. DocC checks the links of the documentation
/// catalogue.
@Suite("Links in the pages")
struct LinkTests {
    @Test(arguments: ["README.md", "CONTRIBUTING.md"]) func targetsExist(page: String) throws {
        let text = try String(contentsOf: Compiler.repository.appendingPathComponent(page), encoding: .utf8)
        let targets = text.split(separator: "](").dropFirst().compactMap { $0.split(separator: ")").first }
        let files = targets.filter { !$0.contains("://") && !$0.hasPrefix("#") }
        #expect(!files.isEmpty)
        for file in files {
            let url = Compiler.repository.appendingPathComponent(String(file))
            #expect(FileManager.default.fileExists(atPath: url.path), "\(page) points at \(file)")
        }
    }
}
