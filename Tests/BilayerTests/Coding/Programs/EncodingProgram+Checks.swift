import Foundation

@testable import Bilayer

extension EncodingProgram {
    private static let trickSets: [CoderOptimizations] = [
        .all, .all, .all, [], .all.subtracting(.keyTables), .all.subtracting(.containerReuse),
        .all.subtracting(.directCollections),
    ]

    /// What is wrong with the outcome of the program; `nil` if nothing is. The outcome must be valid JSON with the
    /// reference's value, or an error where the reference has one. For a tame program (``isTame``) that does not end
    /// the process with Foundation, the value must also be Foundation's.
    func fault() -> String? {
        let machine = ProgramMachine(keepsContainers: keepsContainers)
        defer { machine.releaseContainers() }
        let call = ReferenceCall(self, machine)
        let node = ReferenceNode()
        let expected = Result { try call.writeRoot(root, node) }
        let found = Result { try encode() }
        switch (expected, found) {
        case (.success, .success(let json)) where !node.hasMisuse:
            guard let reference = try? Json(parsing: node.text) else { return "the reference gave \(node.text)" }
            if reference != json { return "found \(json), expected \(node.text)" }
            return isTame && !call.isFatal ? faultByFoundation(json) : nil
        case (.success, .success(let json)): return "found \(json), expected an error"
        case (.failure, .success(let json)): return "found \(json), expected an error"
        case (.success, .failure(let error)) where !node.hasMisuse: return "found \(error), expected \(node.text)"
        default: return nil
        }
    }

    /// The value that was written, read back; a string if the text is not JSON.
    private func encode() throws -> Json {
        var encoder = JsonEncoder()
        encoder.optimizations = Self.trickSets[optimizations % Self.trickSets.count]
        let machine = ProgramMachine(keepsContainers: keepsContainers)
        defer { machine.releaseContainers() }
        encoder.userInfo[.machine] = machine
        encoder.dates = .custom { date, encoder in try ProgramValue.encode(date: date, to: encoder) }
        if convertsKeys { encoder.keys = .convertToSnakeCase }
        if writesNonConforming {
            encoder.nonConformingFloats = .convertToString(
                positiveInfinity: "inf",
                negativeInfinity: "-inf",
                nan: "nan"
            )
        }
        if format == 3 {
            let json = try Json(encoding: root, using: encoder)
            return try Self.parse(json.serialized())
        }
        encoder.format = [.compact, .sortedKeys, .pretty][format]
        return try Self.parse(encoder.encode(root))
    }

    private static func parse(_ text: Data) throws -> Json {
        do {
            return try Json(parsing: text, options: .init(duplicateKeys: .reject))
        } catch {
            return Json("not JSON: \(String(decoding: text, as: UTF8.self))")
        }
    }

    private func faultByFoundation(_ json: Json) -> String? {
        let encoder = JSONEncoder()
        encoder.userInfo[.machine] = ProgramMachine(keepsContainers: false)
        encoder.dateEncodingStrategy = .custom { date, encoder in try ProgramValue.encode(date: date, to: encoder) }
        if convertsKeys { encoder.keyEncodingStrategy = .convertToSnakeCase }
        if writesNonConforming {
            encoder.nonConformingFloatEncodingStrategy = .convertToString(
                positiveInfinity: "inf",
                negativeInfinity: "-inf",
                nan: "nan"
            )
        }
        do {
            let text = try encoder.encode(root)
            return try Json(parsing: text) == json
                ? nil : "found \(json), with Foundation \(String(decoding: text, as: UTF8.self))"
        } catch {
            return "found \(json), with Foundation \(error)"
        }
    }
}
