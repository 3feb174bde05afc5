import Bilayer

extension FeatureCollection {
    static func from(raw: Json) throws -> FeatureCollection {
        try FeatureCollection(
            type: raw.decode("type"),
            features: raw.decode("features")
        )
    }
}

extension Feature {
    static func from(raw: Json) throws -> Feature {
        try Feature(
            type: raw.decode("type"),
            properties: raw.decode("properties"),
            geometry: raw.decode("geometry")
        )
    }
}

extension FeatureProperties {
    static func from(raw: Json) throws -> FeatureProperties {
        try FeatureProperties(
            name: raw.decode("name")
        )
    }
}

extension Geometry {
    static func from(raw: Json) throws -> Geometry {
        try Geometry(
            type: raw.decode("type"),
            coordinates: raw.decode("coordinates")
        )
    }
}
