import Foundation

/// Choices that are read from bytes: a fuzzer's input, or a generator's output. After the end of the bytes, the first
/// option is always chosen.
struct ProgramChoices {
    private var bytes: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

    mutating func next(below count: Int) -> Int { bytes.popFirst().map { Int($0) % count } ?? 0 }

    var isAtEnd: Bool { bytes.isEmpty }
}

/// A program, and how it is written.
struct EncodingProgram {
    /// Whether each error is caught where it comes from, and every container is only used by the body that it belongs
    /// to. Foundation gives a value for such a program, unless it ends the process (``ReferenceCall/isFatal``).
    let isTame: Bool
    let keepsContainers: Bool
    let convertsKeys: Bool
    let writesNonConforming: Bool
    let format: Int
    let optimizations: Int
    let root: ProgramValue

    init(_ bytes: [UInt8]) {
        var choices = ProgramChoices(bytes)
        let flags = choices.next(below: 256)
        isTame = flags & 1 != 0
        keepsContainers = flags & 3 == 2
        convertsKeys = flags & 12 == 12
        writesNonConforming = flags & 48 == 48
        format = flags >> 6
        optimizations = choices.next(below: 256)
        var writer = ProgramWriter(isTame: isTame)
        root = writer.root(&choices)
    }
}

/// Makes a program from choices.
private struct ProgramWriter {
    let isTame: Bool
    private static let depth = 4

    mutating func root(_ choices: inout ProgramChoices) -> ProgramValue {
        choices.next(below: 4) == 3
            ? value(&choices, Self.depth, mayFail: false) : .body(body(&choices, Self.depth))
    }

    private func body(_ choices: inout ProgramChoices, _ depth: Int) -> ProgramBody {
        let forms: [ProgramBody.Form] = [.few, .unkeyed, .any, .many, .few, .unkeyed, .single, .nothing]
        let form = forms[choices.next(below: forms.count)]
        if isTame, form == .single {
            let recovery = ProgramRecovery.writing(.number(7))
            return ProgramBody(
                form: form,
                steps: [.write(target: 0, isOuter: false, key: 0, scalar(&choices), recovery)]
            )
        }
        let count = form == .nothing && isTame ? 0 : choices.next(below: form == .single ? 3 : 8)
        return ProgramBody(form: form, steps: (0..<count).map { _ in step(&choices, depth, form) })
    }

    private func step(_ choices: inout ProgramChoices, _ depth: Int, _ form: ProgramBody.Form) -> ProgramStep {
        let kind = choices.next(below: 16)
        let target = choices.next(below: 8)
        let isOuter = !isTame && target == 7
        let key = choices.next(below: 8)
        switch kind {
        case 9, 10: return .nested(target: target, isOuter: isOuter, key: key, nestedForm(&choices))
        case 11:
            let value = choices.next(below: 4) == 0 ? nil : self.value(&choices, depth - 1, mayFail: !isTame)
            return .superNow(target: target, key: key == 7 ? nil : key, value)
        case 12 where !isTame: return .superEncoder(target: target, isOuter: isOuter, key: key == 7 ? nil : key)
        case 13 where !isTame: return .use(value(&choices, depth - 1, mayFail: true), recovery(&choices))
        case 14:
            let forms: [ProgramBody.Form] = isTame || key < 7 ? [.few, .any, .many] : [.few, .unkeyed, .single]
            let isKeyed = form != .unkeyed && form != .single && form != .nothing
            return .again(isKeyed || !isTame ? forms[key % 3] : isTame ? form : .unkeyed)
        case 15 where !isTame && key < 2: return .fail
        default:
            let isScalar = choices.next(below: 3) > 0
            let value = isScalar ? scalar(&choices) : self.value(&choices, depth - 1, mayFail: !isTame)
            return .write(target: target, isOuter: isOuter, key: key, value, recovery(&choices))
        }
    }

    private func nestedForm(_ choices: inout ProgramChoices) -> ProgramBody.Form {
        let forms: [ProgramBody.Form] = [.few, .unkeyed, .any, .many]
        return forms[choices.next(below: forms.count)]
    }

    private func recovery(_ choices: inout ProgramChoices) -> ProgramRecovery {
        switch choices.next(below: 3) {
        case 0: .ignoring
        case 1: .writing(.text("other"))
        default: isTame ? .ignoring : .none
        }
    }

    /// A value of one token, or one that fails before it has written anything.
    private func scalar(_ choices: inout ProgramChoices) -> ProgramValue {
        switch choices.next(below: 8) {
        case 0: .null
        case 1: .text("te\"xt")
        case 2: .ratio(.nan)
        case 3: .ratio(-.infinity)
        case 4: .ratio(0.5)
        // Foundation does not clear away what such an array has written.
        case 5: .ratios(isTame ? [1, 2] : [1, .nan])
        default: .number(choices.next(below: 256))
        }
    }

    private func value(_ choices: inout ProgramChoices, _ depth: Int, mayFail: Bool) -> ProgramValue {
        if depth <= 0 || choices.isAtEnd { return mayFail ? scalar(&choices) : .number(choices.next(below: 256)) }
        switch choices.next(below: 8) {
        case 0: return .list(values(&choices, depth, mayFail: mayFail))
        case 1:
            let values = values(&choices, depth, mayFail: mayFail).enumerated().map { ("key\($0.offset)", $0.element) }
            return .table(Dictionary(values) { first, _ in first })
        case 2: return .optional(value(&choices, depth - 1, mayFail: mayFail))
        case 3:
            let seconds = choices.next(below: 64)
            return .date(mayFail || seconds % 4 != 2 ? seconds : seconds + 1)
        default: return .body(body(&choices, depth))
        }
    }

    private func values(_ choices: inout ProgramChoices, _ depth: Int, mayFail: Bool) -> [ProgramValue] {
        (0..<choices.next(below: 4)).map { _ in value(&choices, depth - 1, mayFail: mayFail) }
    }
}
