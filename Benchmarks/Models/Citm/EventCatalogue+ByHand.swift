import Bilayer

extension EventCatalogue: JsonWritable {
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

    func write(to json: inout JsonWriter) throws {
        try json.writeObject { catalogue in
            try catalogue.write(areaNames, forKey: "areaNames")
            try catalogue.write(audienceSubCategoryNames, forKey: "audienceSubCategoryNames")
            try catalogue.write(blockNames, forKey: "blockNames")
            try catalogue.write(events, forKey: "events")
            try catalogue.write(performances, forKey: "performances")
            try catalogue.write(seatCategoryNames, forKey: "seatCategoryNames")
            try catalogue.write(subTopicNames, forKey: "subTopicNames")
            try catalogue.write(subjectNames, forKey: "subjectNames")
            try catalogue.write(topicNames, forKey: "topicNames")
            try catalogue.write(topicSubTopics, forKey: "topicSubTopics")
            try catalogue.write(venueNames, forKey: "venueNames")
        }
    }
}

extension Event: JsonWritable {
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

    func write(to json: inout JsonWriter) throws {
        try json.writeObject { event in
            try event.writeIfPresent(description, forKey: "description")
            try event.write(id, forKey: "id")
            try event.writeIfPresent(logo, forKey: "logo")
            try event.write(name, forKey: "name")
            try event.write(subTopicIDs, forKey: "subTopicIds")
            try event.writeIfPresent(subjectCode, forKey: "subjectCode")
            try event.writeIfPresent(subtitle, forKey: "subtitle")
            try event.write(topicIDs, forKey: "topicIds")
        }
    }
}

extension Performance: JsonWritable {
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

    func write(to json: inout JsonWriter) throws {
        try json.writeObject { performance in
            try performance.write(eventID, forKey: "eventId")
            try performance.write(id, forKey: "id")
            try performance.writeIfPresent(logo, forKey: "logo")
            try performance.writeIfPresent(name, forKey: "name")
            try performance.write(prices, forKey: "prices")
            try performance.write(seatCategories, forKey: "seatCategories")
            try performance.writeIfPresent(seatMapImage, forKey: "seatMapImage")
            try performance.write(start, forKey: "start")
            try performance.write(venueCode, forKey: "venueCode")
        }
    }
}

extension Price: JsonWritable {
    static func from(raw: Json) throws -> Price {
        try Price(
            amount: raw.decode("amount"),
            audienceSubCategoryID: raw.decode("audienceSubCategoryId"),
            seatCategoryID: raw.decode("seatCategoryId")
        )
    }

    func write(to json: inout JsonWriter) throws {
        try json.writeObject { price in
            try price.write(amount, forKey: "amount")
            try price.write(audienceSubCategoryID, forKey: "audienceSubCategoryId")
            try price.write(seatCategoryID, forKey: "seatCategoryId")
        }
    }
}

extension SeatCategory: JsonWritable {
    static func from(raw: Json) throws -> SeatCategory {
        try SeatCategory(
            areas: raw.decode("areas"),
            seatCategoryID: raw.decode("seatCategoryId")
        )
    }

    func write(to json: inout JsonWriter) throws {
        try json.writeObject { category in
            try category.write(areas, forKey: "areas")
            try category.write(seatCategoryID, forKey: "seatCategoryId")
        }
    }
}

extension Area: JsonWritable {
    static func from(raw: Json) throws -> Area {
        try Area(
            areaID: raw.decode("areaId"),
            blockIDs: raw.decode("blockIds")
        )
    }

    func write(to json: inout JsonWriter) throws {
        try json.writeObject { area in
            try area.write(areaID, forKey: "areaId")
            try area.write(blockIDs, forKey: "blockIds")
        }
    }
}
