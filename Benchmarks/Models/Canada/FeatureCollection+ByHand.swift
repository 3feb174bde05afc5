import Bilayer

extension FeatureCollection: JsonWritable {
    static func from(raw: Json) throws -> FeatureCollection {
        try FeatureCollection(
            type: raw.decode("type"),
            features: raw.decode("features")
        )
    }

    func write(to json: inout JsonWriter) throws {
        try json.object { collection in
            try collection.write("type", type)
            try collection.write("features", features)
        }
    }
}

extension Feature: JsonWritable {
    static func from(raw: Json) throws -> Feature {
        try Feature(
            type: raw.decode("type"),
            properties: raw.decode("properties"),
            geometry: raw.decode("geometry")
        )
    }

    func write(to json: inout JsonWriter) throws {
        try json.object { feature in
            try feature.write("type", type)
            try feature.write("properties", properties)
            try feature.write("geometry", geometry)
        }
    }
}

extension FeatureProperties: JsonWritable {
    static func from(raw: Json) throws -> FeatureProperties {
        try FeatureProperties(
            name: raw.decode("name")
        )
    }

    func write(to json: inout JsonWriter) throws {
        try json.object { properties in
            try properties.write("name", name)
        }
    }
}

extension Geometry: JsonWritable {
    static func from(raw: Json) throws -> Geometry {
        try Geometry(
            type: raw.decode("type"),
            coordinates: raw.decode("coordinates")
        )
    }

    func write(to json: inout JsonWriter) throws {
        try json.object { geometry in
            try geometry.write("type", type)
            try geometry.write("coordinates", coordinates)
        }
    }
}
