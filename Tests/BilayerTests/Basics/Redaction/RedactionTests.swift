import Bilayer
import Foundation
import Testing

/// No text of a public type shows a secret. Secrets are passwords, query values, arguments of paths, bodies, keys that
/// are data, and everything from an error of another module.
///
/// ``Samples/redacted`` has a value of each type with ``Samples/secret`` in every field that can hold data.
/// ``Samples/exempt`` has the other public types, with the reasons why they are not checked.
@Suite("Redaction: every public type")
struct RedactionTests {
    @Test func everyPublicTypeHasASampleOrAReason() throws {
        let declared = try PublicTypes.names()
        let known = Set(Samples.redacted.map { $0.type }).union(Samples.exempt.keys)
        #expect(declared.count > 100)
        #expect(declared.subtracting(known).sorted() == [], "a public type needs a sample with a secret in every field")
        #expect(known.subtracting(declared).sorted() == [], "a sample of a type that is gone")
    }

    @Test(arguments: Samples.redacted)
    func noTextShowsTheSecret(sample: Sample) async {
        let values = await sample.values
        #expect(!values.isEmpty || sample.isOfAnotherPlatform)
        for value in values {
            for (kind, text) in Texts.all(of: value) {
                #expect(!text.contains(Samples.secret), "\(kind)")
            }
        }
    }

    /// A mirror with children would show what the description leaves out, and the bytes of `Data` as numbers.
    @Test(arguments: Samples.redacted)
    func reflectionSeesTheDescriptionAlone(sample: Sample) async {
        for value in await sample.values {
            var dumped = ""
            dump(value, to: &dumped, maxDepth: 3)
            #expect(Mirror(reflecting: value).children.isEmpty)
            #expect(dumped.hasPrefix("- \(value)"))
            #expect(
                dumped.split(separator: "\n").count
                    == "\(value)".split(separator: "\n", omittingEmptySubsequences: false).count
            )
            #expect(String(reflecting: value) == "\(value)")
        }
    }

    /// The check above must be able to fail.
    @Test func aTypeThatHidesNothingIsFound() {
        struct Careless { let token = Samples.secret }
        #expect(Texts.all(of: Careless()).contains { $0.text.contains(Samples.secret) })
        #expect(PublicTypes.names(in: "extension A {\n    public struct B {}\n}\nstruct C {}") == ["A.B"])
    }
}

/// The ways in which a value becomes a text.
enum Texts {
    static func all(of value: Any) -> [(kind: String, text: String)] {
        var texts = [
            ("print", "\(value)"), ("describing", String(describing: value)), ("reflecting", String(reflecting: value)),
            ("in an array", "\([value])"), ("in an optional", "\(Optional(value) as Any)"), ("dump", ""),
            ("debugPrint", ""),
        ]
        dump(value, to: &texts[5].1)
        debugPrint(value, to: &texts[6].1)
        if let error = value as? any Error {
            texts.append(("localizedDescription", error.localizedDescription))
            texts.append(("as NSError", "\(error as NSError)"))
        }
        return texts + children(of: value, depth: 0)
    }

    private static func children(of value: Any, depth: Int) -> [(kind: String, text: String)] {
        guard depth < 8 else { return [] }
        var mirror: Mirror? = Mirror(reflecting: value)
        var texts: [(kind: String, text: String)] = []
        while let current = mirror {
            for child in current.children {
                texts.append(("child \(child.label ?? "-")", String(reflecting: child.value)))
                texts += children(of: child.value, depth: depth + 1)
            }
            mirror = current.superclassMirror
        }
        return texts
    }
}
