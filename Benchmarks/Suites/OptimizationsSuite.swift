import Bilayer
import Foundation

/// The gain of each optimization of the coders: coders with all optimizations, compared with coders without one of
/// them. A coder without an optimization makes a new session for each call, so small bodies would show only that cost.
func optimizationCases(of corpora: Corpora) throws -> [Case] {
    try corpora.all.filter { $0.body.count > 10_000 }.flatMap { try optimizationCases(of: $0) } + [pathsCase()]
}

/// Returns the case of fields that are nested in other objects. No corpus has keys with paths.
private func pathsCase() throws -> Case {
    let parcels = (0..<2_000).map { Parcel($0) }
    let nested = parcels.map(NestedParcel.init)
    let body = try JSONEncoder().encode(nested)
    let engines: [(Engine, CoderOptimizations)] = [
        (.bilayerCodable, .all), (.withoutPathsInIndex, .all.subtracting(.pathsInIndex)),
    ]
    let decoding = engines.map { engine, optimizations in
        var decoder = JsonDecoder()
        decoder.optimizations = optimizations
        return Contender(engine) { [decoder] in
            try decoder.decode([Parcel].self, from: body)
        } isRight: {
            $0 == parcels
        }
    }
    let foundation = Contender(.foundation) {
        try JSONDecoder().decode([NestedParcel].self, from: body)
    } isRight: {
        $0 == nested
    }
    return Case(
        suite: .optimizations,
        corpus: "paths-decode",
        byteCount: body.count,
        contenders: [foundation] + decoding
    )
}

private let left: [(Engine, CoderOptimizations)] = [
    (.bilayerCodable, .all),
    (.withoutKeyTables, .all.subtracting(.keyTables)),
    (.withoutContainerReuse, .all.subtracting(.containerReuse)),
    (.withoutDirectCollections, .all.subtracting(.directCollections)),
]

private func optimizationCases<Entry: AnyCorpus>(of corpus: Entry) throws -> [Case] {
    let model = try corpus.expectedModel()
    let decoding = left.map { engine, optimizations in
        var decoder = JsonDecoder()
        decoder.optimizations = optimizations
        return Contender(engine) { [decoder] in
            try decoder.decode(Entry.Model.self, from: corpus.body)
        } isRight: {
            $0 == model
        }
    }
    let encoding = left.map { engine, optimizations in
        var encoder = JsonEncoder()
        encoder.optimizations = optimizations
        return Contender(engine) { [encoder] in
            try encoder.encode(model)
        } isRight: {
            try JsonDecoder().decode(Entry.Model.self, from: $0) == model
        }
    }
    return [
        Case(
            suite: .optimizations,
            corpus: "\(corpus.name)-decode",
            byteCount: corpus.body.count,
            contenders: [foundationDecode(corpus)] + decoding
        ),
        Case(
            suite: .optimizations,
            corpus: "\(corpus.name)-encode",
            byteCount: corpus.body.count,
            contenders: [foundationEncode(model)] + encoding
        ),
    ]
}
