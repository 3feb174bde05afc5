import Bilayer
import Foundation

func decodeCase(of corpus: some AnyCorpus) -> Case {
    Case(
        suite: .jsonDecode,
        corpus: corpus.name,
        byteCount: corpus.body.count,
        resultBlocks: { try heapBlocks(of: corpus.expectedModel()) },
        contenders: [
            foundationDecode(corpus),
            codableDecode(corpus),
            directDecode(corpus),
            roundTripDecode(corpus),
        ]
    )
}

func foundationDecode<Entry: AnyCorpus>(_ corpus: Entry) -> Contender {
    let decoder = JSONDecoder()
    return Contender(.foundation) {
        try decoder.decode(Entry.Model.self, from: corpus.body)
    } isRight: { _ in
        true
    }
}

func codableDecode<Entry: AnyCorpus>(_ corpus: Entry) -> Contender {
    let decoder = JsonDecoder()
    return Contender(.bilayerCodable) {
        try decoder.decode(Entry.Model.self, from: corpus.body)
    } isRight: { model in
        try model == corpus.expectedModel()
    }
}

func directDecode<Entry: AnyCorpus>(_ corpus: Entry) -> Contender {
    Contender(.bilayerDirect) {
        try Entry.Model.from(raw: Json(parsing: corpus.body))
    } isRight: { model in
        try model == corpus.expectedModel()
    }
}

/// Returns a contender that works like frameworks which pass dictionaries from layer to layer: everything is parsed
/// twice and written once.
func roundTripDecode<Entry: AnyCorpus>(_ corpus: Entry) -> Contender {
    let decoder = JSONDecoder()
    return Contender(.jsonSerializationRoundTrip) {
        let object = try JSONSerialization.jsonObject(with: corpus.body)
        let data = try JSONSerialization.data(withJSONObject: object)
        return try decoder.decode(Entry.Model.self, from: data)
    } isRight: { model in
        try model == corpus.expectedModel()
    }
}
