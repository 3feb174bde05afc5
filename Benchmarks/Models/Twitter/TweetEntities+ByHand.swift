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
        try json.writeObject { entities in
            try entities.write(hashtags, forKey: "hashtags")
            try entities.write(symbols, forKey: "symbols")
            try entities.write(urls, forKey: "urls")
            try entities.write(userMentions, forKey: "user_mentions")
            try entities.writeIfPresent(media, forKey: "media")
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
        try json.writeObject { hashtag in
            try hashtag.write(text, forKey: "text")
            try hashtag.write(indices, forKey: "indices")
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
        try json.writeObject { mention in
            try mention.write(screenName, forKey: "screen_name")
            try mention.write(name, forKey: "name")
            try mention.write(id, forKey: "id")
            try mention.write(idString, forKey: "id_str")
            try mention.write(indices, forKey: "indices")
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
        try json.writeObject { media in
            try media.write(id, forKey: "id")
            try media.write(idString, forKey: "id_str")
            try media.write(indices, forKey: "indices")
            try media.write(mediaURL, forKey: "media_url")
            try media.write(mediaURLHTTPS, forKey: "media_url_https")
            try media.write(url, forKey: "url")
            try media.write(displayURL, forKey: "display_url")
            try media.write(expandedURL, forKey: "expanded_url")
            try media.write(type, forKey: "type")
            try media.write(sizes, forKey: "sizes")
            try media.writeIfPresent(sourceStatusID, forKey: "source_status_id")
            try media.writeIfPresent(sourceStatusIDString, forKey: "source_status_id_str")
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
        try json.writeObject { sizes in
            try sizes.write(medium, forKey: "medium")
            try sizes.write(small, forKey: "small")
            try sizes.write(thumb, forKey: "thumb")
            try sizes.write(large, forKey: "large")
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
        try json.writeObject { size in
            try size.write(w, forKey: "w")
            try size.write(h, forKey: "h")
            try size.write(resize, forKey: "resize")
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
        try json.writeObject { list in
            try list.write(urls, forKey: "urls")
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
        try json.writeObject { link in
            try link.write(url, forKey: "url")
            try link.write(expandedURL, forKey: "expanded_url")
            try link.write(displayURL, forKey: "display_url")
            try link.write(indices, forKey: "indices")
        }
    }
}
