import Bilayer

/// citm_catalog.json: a catalogue of concerts, mostly small integers and dictionaries with numeric keys.
struct EventCatalogue: CorpusModel {
    let areaNames: [String: String]
    let audienceSubCategoryNames: [String: String]
    let blockNames: [String: String]
    let events: [String: Event]
    let performances: [Performance]
    let seatCategoryNames: [String: String]
    let subTopicNames: [String: String]
    let subjectNames: [String: String]
    let topicNames: [String: String]
    let topicSubTopics: [String: [Int]]
    let venueNames: [String: String]
}

struct Event: CorpusModel {
    let description: String?
    let id: Int
    let logo: String?
    let name: String
    let subTopicIDs: [Int]
    let subjectCode: String?
    let subtitle: String?
    let topicIDs: [Int]

    enum CodingKeys: String, CodingKey {
        case description
        case id
        case logo
        case name
        case subTopicIDs = "subTopicIds"
        case subjectCode
        case subtitle
        case topicIDs = "topicIds"
    }
}

struct Performance: CorpusModel {
    let eventID: Int
    let id: Int
    let logo: String?
    let name: String?
    let prices: [Price]
    let seatCategories: [SeatCategory]
    let seatMapImage: String?
    let start: Int
    let venueCode: String

    enum CodingKeys: String, CodingKey {
        case eventID = "eventId"
        case id
        case logo
        case name
        case prices
        case seatCategories
        case seatMapImage
        case start
        case venueCode
    }
}

struct Price: CorpusModel {
    let amount: Int
    let audienceSubCategoryID: Int
    let seatCategoryID: Int

    enum CodingKeys: String, CodingKey {
        case amount
        case audienceSubCategoryID = "audienceSubCategoryId"
        case seatCategoryID = "seatCategoryId"
    }
}

struct SeatCategory: CorpusModel {
    let areas: [Area]
    let seatCategoryID: Int

    enum CodingKeys: String, CodingKey {
        case areas
        case seatCategoryID = "seatCategoryId"
    }
}

struct Area: CorpusModel {
    let areaID: Int
    let blockIDs: [Int]

    enum CodingKeys: String, CodingKey {
        case areaID = "areaId"
        case blockIDs = "blockIds"
    }
}
