import Bilayer
import Foundation

/// Bytes to `Json` and `Json` to bytes, compared with Foundation from the same bytes to structs and back.
func valueCases(of corpus: some AnyCorpus) throws -> [Case] {
    [readCase(of: corpus), try writeCase(of: corpus)]
}

private func readCase(of corpus: some AnyCorpus) -> Case {
    let parse = Contender(.bilayerDirect) {
        try Json(parsing: corpus.body)
    } isRight: { json in
        try means(json.serialized(), corpus.expectedModel())
    }
    return Case(
        suite: .jsonValue,
        corpus: "\(corpus.name)-read",
        byteCount: corpus.body.count,
        contenders: [foundationDecode(corpus), parse]
    )
}

/// The value is parsed from a text with line breaks and indentation. Compact text would only be copied.
private func writeCase(of corpus: some AnyCorpus) throws -> Case {
    let model = try corpus.expectedModel()
    let printer = JSONEncoder()
    printer.outputFormatting = [.prettyPrinted, .withoutEscapingSlashes]
    let json = try Json(parsing: printer.encode(model))
    let serialise = Contender(.bilayerDirect) {
        json.serialized()
    } isRight: { written in
        try means(written, model)
    }
    return Case(
        suite: .jsonValue,
        corpus: "\(corpus.name)-write",
        byteCount: json.serialized().count,
        contenders: [foundationEncode(model), serialise]
    )
}
