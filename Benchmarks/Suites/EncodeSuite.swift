import Bilayer
import Foundation

func encodeCase(of corpus: some AnyCorpus) throws -> Case {
    let model = try corpus.expectedModel()
    return Case(
        suite: .jsonEncode,
        corpus: corpus.name,
        byteCount: try JSONEncoder().encode(model).count,
        contenders: [foundationEncode(model), codableEncode(model), directEncode(model)]
    )
}

func foundationEncode(_ model: some CorpusModel) -> Contender {
    let encoder = JSONEncoder()
    return Contender(.foundation) {
        try encoder.encode(model)
    } isRight: { _ in
        true
    }
}

func codableEncode(_ model: some CorpusModel) -> Contender {
    let encoder = JsonEncoder()
    return Contender(.bilayerCodable) {
        try encoder.encode(model)
    } isRight: { bytes in
        try means(bytes, model)
    }
}

func directEncode(_ model: some CorpusModel) -> Contender {
    Contender(.bilayerDirect) {
        try model.toRaw().serialized()
    } isRight: { bytes in
        try means(bytes, model)
    }
}

/// Whether the bytes, read by Foundation, equal the model.
func means<Model: CorpusModel>(_ bytes: Data, _ model: Model) throws -> Bool {
    try JSONDecoder().decode(Model.self, from: bytes) == model
}
