import Bilayer

extension FeatureCollection: JsonWritable {
    static func from(raw: Json) throws -> FeatureCollection {
        try FeatureCollection(
            type: raw.decode("type"),
            features: raw.decode("features")
        )
    }

    func write(to json: inout JsonWriter) throws {
        try json.writeObject { collection in
            try collection.write(type, forKey: "type")
            try collection.write(features, forKey: "features")
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
        try json.writeObject { feature in
            try feature.write(type, forKey: "type")
            try feature.write(properties, forKey: "properties")
            try feature.write(geometry, forKey: "geometry")
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
        try json.writeObject { properties in
            try properties.write(name, forKey: "name")
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
        try json.writeObject { geometry in
            try geometry.write(type, forKey: "type")
            try geometry.write(coordinates, forKey: "coordinates")
        }
    }
}
