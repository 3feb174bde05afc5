import Bilayer

extension TweetEntities: JsonWritable {
    static func from(raw: Json) throws -> TweetEntities {
        try TweetEntities(
            hashtags: raw.decode("hashtags"),
            symbols: raw.decode("symbols"),
            urls: raw.decode("urls"),
            userMentions: raw.decode("user_mentions"),
            media: raw.decodeIfPresent("media")
        )
    }

    func write(to json: inout JsonWriter) throws {
        try json.object { entities in
            try entities.write("hashtags", hashtags)
            try entities.write("symbols", symbols)
            try entities.write("urls", urls)
            try entities.write("user_mentions", userMentions)
            try entities.writeIfPresent("media", media)
        }
    }
}

extension Hashtag: JsonWritable {
    static func from(raw: Json) throws -> Hashtag {
        try Hashtag(
            text: raw.decode("text"),
            indices: raw.decode("indices")
        )
    }

    func write(to json: inout JsonWriter) throws {
        try json.object { hashtag in
            try hashtag.write("text", text)
            try hashtag.write("indices", indices)
        }
    }
}

extension Mention: JsonWritable {
    static func from(raw: Json) throws -> Mention {
        try Mention(
            screenName: raw.decode("screen_name"),
            name: raw.decode("name"),
            id: raw.decode("id"),
            idString: raw.decode("id_str"),
            indices: raw.decode("indices")
        )
    }

    func write(to json: inout JsonWriter) throws {
        try json.object { mention in
            try mention.write("screen_name", screenName)
            try mention.write("name", name)
            try mention.write("id", id)
            try mention.write("id_str", idString)
            try mention.write("indices", indices)
        }
    }
}

extension Media: JsonWritable {
    static func from(raw: Json) throws -> Media {
        try Media(
            id: raw.decode("id"),
            idString: raw.decode("id_str"),
            indices: raw.decode("indices"),
            mediaURL: raw.decode("media_url"),
            mediaURLHTTPS: raw.decode("media_url_https"),
            url: raw.decode("url"),
            displayURL: raw.decode("display_url"),
            expandedURL: raw.decode("expanded_url"),
            type: raw.decode("type"),
            sizes: raw.decode("sizes"),
            sourceStatusID: raw.decodeIfPresent("source_status_id"),
            sourceStatusIDString: raw.decodeIfPresent("source_status_id_str")
        )
    }

    func write(to json: inout JsonWriter) throws {
        try json.object { media in
            try media.write("id", id)
            try media.write("id_str", idString)
            try media.write("indices", indices)
            try media.write("media_url", mediaURL)
            try media.write("media_url_https", mediaURLHTTPS)
            try media.write("url", url)
            try media.write("display_url", displayURL)
            try media.write("expanded_url", expandedURL)
            try media.write("type", type)
            try media.write("sizes", sizes)
            try media.writeIfPresent("source_status_id", sourceStatusID)
            try media.writeIfPresent("source_status_id_str", sourceStatusIDString)
        }
    }
}

extension MediaSizes: JsonWritable {
    static func from(raw: Json) throws -> MediaSizes {
        try MediaSizes(
            medium: raw.decode("medium"),
            small: raw.decode("small"),
            thumb: raw.decode("thumb"),
            large: raw.decode("large")
        )
    }

    func write(to json: inout JsonWriter) throws {
        try json.object { sizes in
            try sizes.write("medium", medium)
            try sizes.write("small", small)
            try sizes.write("thumb", thumb)
            try sizes.write("large", large)
        }
    }
}

extension MediaSize: JsonWritable {
    static func from(raw: Json) throws -> MediaSize {
        try MediaSize(
            w: raw.decode("w"),
            h: raw.decode("h"),
            resize: raw.decode("resize")
        )
    }

    func write(to json: inout JsonWriter) throws {
        try json.object { size in
            try size.write("w", w)
            try size.write("h", h)
            try size.write("resize", resize)
        }
    }
}

extension LinkList: JsonWritable {
    static func from(raw: Json) throws -> LinkList {
        try LinkList(
            urls: raw.decode("urls")
        )
    }

    func write(to json: inout JsonWriter) throws {
        try json.object { list in
            try list.write("urls", urls)
        }
    }
}

extension Link: JsonWritable {
    static func from(raw: Json) throws -> Link {
        try Link(
            url: raw.decode("url"),
            expandedURL: raw.decode("expanded_url"),
            displayURL: raw.decode("display_url"),
            indices: raw.decode("indices")
        )
    }

    func write(to json: inout JsonWriter) throws {
        try json.object { link in
            try link.write("url", url)
            try link.write("expanded_url", expandedURL)
            try link.write("display_url", displayURL)
            try link.write("indices", indices)
        }
    }
}
