import Foundation
import SecondLayerForms
import Testing

@Suite("Scenario: the second layer is no burden")
struct SecondLayerTests {
    static let models = secondLayerForms.map(\.name)

    @Test(arguments: secondLayerForms.map(\.forms)) func bothFormsMeanTheSame(model: any TwoForms.Type) throws {
        #expect(try model.agree())
    }

    @Test(arguments: models) func theLeanFormIsShorter(model: String) throws {
        let lines = try Self.lines(of: model)
        #expect(lines.lean < lines.byHand, "\(model): \(lines.lean) lines against \(lines.byHand)")
    }

    @Test func theArticleShowsTheNumbers() throws {
        let article = Compiler.repository.appendingPathComponent("Sources/Bilayer/Bilayer.docc/TheSecondLayer.md")
        let text = try String(contentsOf: article, encoding: .utf8)
        for model in Self.models {
            let lines = try Self.lines(of: model)
            #expect(text.contains("| \(model) | \(lines.byHand) | \(lines.lean) |"))
        }
    }

    /// Counts the lines between the marks, blank ones left out.
    private static func lines(of model: String) throws -> (byHand: Int, lean: Int) {
        let file = Compiler.repository.appendingPathComponent("Benchmarks/SecondLayer/\(model).swift")
        var form: String?
        var counts = ["// by hand": 0, "// lean": 0]
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
            let line = line.trimmingCharacters(in: .whitespaces)
            if counts[line] != nil {
                form = line
            } else if line == "// end" {
                form = nil
            } else if let form, !line.isEmpty {
                counts[form, default: 0] += 1
            }
        }
        return (counts["// by hand"] ?? 0, counts["// lean"] ?? 0)
    }
}
