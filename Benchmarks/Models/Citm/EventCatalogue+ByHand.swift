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
        try json.object { catalogue in
            try catalogue.write("areaNames", areaNames)
            try catalogue.write("audienceSubCategoryNames", audienceSubCategoryNames)
            try catalogue.write("blockNames", blockNames)
            try catalogue.write("events", events)
            try catalogue.write("performances", performances)
            try catalogue.write("seatCategoryNames", seatCategoryNames)
            try catalogue.write("subTopicNames", subTopicNames)
            try catalogue.write("subjectNames", subjectNames)
            try catalogue.write("topicNames", topicNames)
            try catalogue.write("topicSubTopics", topicSubTopics)
            try catalogue.write("venueNames", venueNames)
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
        try json.object { event in
            try event.writeIfPresent("description", description)
            try event.write("id", id)
            try event.writeIfPresent("logo", logo)
            try event.write("name", name)
            try event.write("subTopicIds", subTopicIDs)
            try event.writeIfPresent("subjectCode", subjectCode)
            try event.writeIfPresent("subtitle", subtitle)
            try event.write("topicIds", topicIDs)
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
        try json.object { performance in
            try performance.write("eventId", eventID)
            try performance.write("id", id)
            try performance.writeIfPresent("logo", logo)
            try performance.writeIfPresent("name", name)
            try performance.write("prices", prices)
            try performance.write("seatCategories", seatCategories)
            try performance.writeIfPresent("seatMapImage", seatMapImage)
            try performance.write("start", start)
            try performance.write("venueCode", venueCode)
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
        try json.object { price in
            try price.write("amount", amount)
            try price.write("audienceSubCategoryId", audienceSubCategoryID)
            try price.write("seatCategoryId", seatCategoryID)
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
        try json.object { category in
            try category.write("areas", areas)
            try category.write("seatCategoryId", seatCategoryID)
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
        try json.object { area in
            try area.write("areaId", areaID)
            try area.write("blockIds", blockIDs)
        }
    }
}
