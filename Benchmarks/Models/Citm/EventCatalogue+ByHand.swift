import Bilayer

extension EventCatalogue {
    static func from(raw: Json) throws -> EventCatalogue {
        try EventCatalogue(
            areaNames: raw.decode("areaNames"),
            audienceSubCategoryNames: raw.decode("audienceSubCategoryNames"),
            blockNames: raw.decode("blockNames"),
            events: raw.decode("events"),
            performances: raw.decode("performances"),
            seatCategoryNames: raw.decode("seatCategoryNames"),
            subTopicNames: raw.decode("subTopicNames"),
            subjectNames: raw.decode("subjectNames"),
            topicNames: raw.decode("topicNames"),
            topicSubTopics: raw.decode("topicSubTopics"),
            venueNames: raw.decode("venueNames")
        )
    }
}

extension Event {
    static func from(raw: Json) throws -> Event {
        try Event(
            description: raw.decodeIfPresent("description"),
            id: raw.decode("id"),
            logo: raw.decodeIfPresent("logo"),
            name: raw.decode("name"),
            subTopicIDs: raw.decode("subTopicIds"),
            subjectCode: raw.decodeIfPresent("subjectCode"),
            subtitle: raw.decodeIfPresent("subtitle"),
            topicIDs: raw.decode("topicIds")
        )
    }
}

extension Performance {
    static func from(raw: Json) throws -> Performance {
        try Performance(
            eventID: raw.decode("eventId"),
            id: raw.decode("id"),
            logo: raw.decodeIfPresent("logo"),
            name: raw.decodeIfPresent("name"),
            prices: raw.decode("prices"),
            seatCategories: raw.decode("seatCategories"),
            seatMapImage: raw.decodeIfPresent("seatMapImage"),
            start: raw.decode("start"),
            venueCode: raw.decode("venueCode")
        )
    }
}

extension Price {
    static func from(raw: Json) throws -> Price {
        try Price(
            amount: raw.decode("amount"),
            audienceSubCategoryID: raw.decode("audienceSubCategoryId"),
            seatCategoryID: raw.decode("seatCategoryId")
        )
    }
}

extension SeatCategory {
    static func from(raw: Json) throws -> SeatCategory {
        try SeatCategory(
            areas: raw.decode("areas"),
            seatCategoryID: raw.decode("seatCategoryId")
        )
    }
}

extension Area {
    static func from(raw: Json) throws -> Area {
        try Area(
            areaID: raw.decode("areaId"),
            blockIDs: raw.decode("blockIds")
        )
    }
}
