import Bilayer

/// canada.json: the outline of a country, 111,000 doubles in pairs.
struct FeatureCollection: CorpusModel {
    let type: String
    let features: [Feature]
}

struct Feature: CorpusModel {
    let type: String
    let properties: FeatureProperties
    let geometry: Geometry
}

struct FeatureProperties: CorpusModel {
    let name: String
}

struct Geometry: CorpusModel {
    let type: String
    let coordinates: [[[Double]]]
}
