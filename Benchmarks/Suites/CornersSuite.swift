import Bilayer
import Foundation

/// Structures that are usual in apps and rare in benchmarks: dynamic keys, many keys, class hierarchies, members
/// written part by part, key strategies, fields at paths, fields with defaults, chains of `try?`, and edits.
func cornerCases(of corpora: Corpora) throws -> [Case] {
    let count = 40_000
    let numbered = Dictionary(uniqueKeysWithValues: (0..<count).map { ($0, $0) })
    let named = DynamicMembers(members: Dictionary(uniqueKeysWithValues: (0..<count).map { ("key\($0)", $0) }))
    let articles = (0..<2_000).map(Article.init)
    let cases: [[Case]] = try [
        cornerCases("integer-keys", numbered), cornerCases("dynamic-keys", named),
        cornerCases("200-keys", WideObject.list(of: 500)), cornerCases("class-hierarchy", articles),
        cornerCases("partwise", PartwiseMembers(count: 10_000)), keyStrategyCases(articles),
        pathCases((0..<2_000).map { Parcel($0) }), [defaultsCase()], tryChainCases(corpora),
        [editCase(memberCount: 8_000)],
    ]
    return cases.flatMap { $0 }
}

/// Returns the decode case and the encode case of a value with default coders.
private func cornerCases<Model: Codable & Equatable>(_ name: String, _ model: Model) throws -> [Case] {
    try cornerCases(name, model, (JSONEncoder(), JSONDecoder()), (JsonEncoder(), JsonDecoder()))
}

private func cornerCases<Model: Codable & Equatable>(
    _ name: String,
    _ model: Model,
    _ foundation: (encoder: JSONEncoder, decoder: JSONDecoder),
    _ bilayer: (encoder: JsonEncoder, decoder: JsonDecoder)
) throws -> [Case] {
    let body = try foundation.encoder.encode(model)
    return [
        cornerCase("\(name)-encode", body) {
            try foundation.encoder.encode(model)
        } bilayer: {
            try bilayer.encoder.encode(model)
        } isRight: {
            try foundation.decoder.decode(Model.self, from: $0) == model
        },
        cornerCase("\(name)-decode", body) {
            try foundation.decoder.decode(Model.self, from: body)
        } bilayer: {
            try bilayer.decoder.decode(Model.self, from: body)
        } isRight: {
            $0 == model
        },
    ]
}

private func cornerCase<Reference, Result>(
    _ name: String,
    _ body: Data,
    foundation: @escaping () throws -> Reference,
    bilayer: @escaping () throws -> Result,
    isRight: @escaping (Result) throws -> Bool
) -> Case {
    Case(
        suite: .corners,
        corpus: name,
        byteCount: body.count,
        contenders: [
            Contender(.foundation, foundation, isRight: { _ in true }),
            Contender(.bilayerCodable, bilayer, isRight: isRight),
        ]
    )
}

/// Returns the cases of key strategies. Foundation uses its own snake case, or its own custom strategy.
private func keyStrategyCases(_ articles: [Article]) throws -> [Case] {
    let snakeCase = (JSONEncoder(), JSONDecoder())
    snakeCase.0.keyEncodingStrategy = .convertToSnakeCase
    snakeCase.1.keyDecodingStrategy = .convertFromSnakeCase
    let custom = (JSONEncoder(), JSONDecoder())
    custom.0.keyEncodingStrategy = .custom(prefixed)
    custom.1.keyDecodingStrategy = .custom(unprefixed)
    return try cornerCases("snake-case", articles, snakeCase, coders(.convertToSnakeCase, .convertFromSnakeCase))
        + cornerCases("naming", articles, snakeCase, coders(.naming(.snakeCase), .naming(.snakeCase)))
        + cornerCases("custom-keys", articles, custom, coders(.custom(prefixed), .custom(unprefixed)))
}

private func coders(
    _ encoding: JsonEncoder.KeyStrategy,
    _ decoding: JsonDecoder.KeyStrategy
) -> (JsonEncoder, JsonDecoder) {
    var encoder = JsonEncoder()
    encoder.keys = encoding
    var decoder = JsonDecoder()
    decoder.keys = decoding
    return (encoder, decoder)
}

private let prefix = "x-"

private func prefixed(_ path: [any CodingKey]) -> any CodingKey {
    DynamicMembers.Key(stringValue: prefix + (path.last?.stringValue ?? ""))
}

private func unprefixed(_ path: [any CodingKey]) -> any CodingKey {
    let key = path.last?.stringValue ?? ""
    return DynamicMembers.Key(stringValue: key.hasPrefix(prefix) ? String(key.dropFirst(prefix.count)) : key)
}

/// Returns the cases of fields that are nested in other objects. Foundation's rows use nested containers, ours use paths.
private func pathCases(_ parcels: [Parcel]) throws -> [Case] {
    let nested = parcels.map(NestedParcel.init)
    let (foundation, bilayer) = ((JSONEncoder(), JSONDecoder()), (JsonEncoder(), JsonDecoder()))
    let body = try foundation.0.encode(nested)
    return [
        cornerCase("paths-encode", body) {
            try foundation.0.encode(nested)
        } bilayer: {
            try bilayer.0.encode(parcels)
        } isRight: {
            try foundation.1.decode([NestedParcel].self, from: $0) == nested
        },
        cornerCase("paths-decode", body) {
            try foundation.1.decode([NestedParcel].self, from: body)
        } bilayer: {
            try bilayer.1.decode([Parcel].self, from: body)
        } isRight: {
            $0 == parcels
        },
    ]
}

/// Returns the case of fields with defaults. In Foundation's row, the defaults are written by hand.
private func defaultsCase() -> Case {
    let texts = [
        #"{"id":1,"size":3,"names":["a","b"],"note":"n"}"#, #"{"id":2,"size":null,"note":null}"#,
        #"{"id":3,"names":[]}"#, #"{"id":4,"size":7,"names":["c"]}"#,
    ]
    let body = Data("[\((0..<4_000).map { texts[$0 % texts.count] }.joined(separator: ","))]".utf8)
    return cornerCase("defaults-decode", body) {
        try JSONDecoder().decode([PreferencesByHand].self, from: body)
    } bilayer: {
        try JsonDecoder().decode([Preferences].self, from: body)
    } isRight: {
        $0.count == 4_000 && $0[1].size == 20 && $0[1].note == .null && $0[2].names.isEmpty
    }
}

private func tryChainCases(_ corpora: Corpora) throws -> [Case] {
    let bodies = corpora.all.map { ("any-value-\($0.name)", $0.body) }
    return bodies.map { tryChainCase(AnyValue.self, $0, $1) }
        + [
            tryChainCase([Attempted<Bool>].self, "failing-flags", members("yes")),
            tryChainCase([Attempted<Int>].self, "failing-integers", members(1.5)),
            tryChainCase([Attempted<[Int]>].self, "failing-lists", members([1, 2, "three"])),
        ]
}

/// Returns 20,000 objects with the same value.
private func members(_ value: Json) -> Data {
    Json((0..<20_000).map { _ in ["value": value] as Json }).serialized()
}

private func tryChainCase<Model: Decodable & Equatable>(_ type: Model.Type, _ name: String, _ body: Data) -> Case {
    let foundation = JSONDecoder()
    let bilayer = JsonDecoder()
    return cornerCase(name, body) {
        try foundation.decode(type, from: body)
    } bilayer: {
        try bilayer.decode(type, from: body)
    } isRight: {
        try $0 == foundation.decode(type, from: body)
    }
}

/// Sets all members of an object one by one, then removes them one by one. Foundation's row does so in a dictionary
/// that JSONSerialization made.
private func editCase(memberCount: Int) throws -> Case {
    let keys = (0..<memberCount).map { "key\($0)" }
    let body = Json(members: keys.map { (key: $0, value: 0) }).serialized()
    return cornerCase("edits", body) {
        guard var object = try JSONSerialization.jsonObject(with: body) as? [String: Any] else { return 0 }
        for key in keys { object[key] = 1 }
        for key in keys { object[key] = nil }
        return object.count
    } bilayer: {
        var object = try Json(parsing: body)
        for key in keys { object[key] = 1 }
        for key in keys { object[key] = nil }
        return object.count
    } isRight: {
        $0 == 0
    }
}
