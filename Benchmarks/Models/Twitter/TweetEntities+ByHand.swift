import Bilayer

extension TweetEntities {
    static func from(raw: Json) throws -> TweetEntities {
        try TweetEntities(
            hashtags: raw.decode("hashtags"),
            symbols: raw.decode("symbols"),
            urls: raw.decode("urls"),
            userMentions: raw.decode("user_mentions"),
            media: raw.decodeIfPresent("media")
        )
    }
}

extension Hashtag {
    static func from(raw: Json) throws -> Hashtag {
        try Hashtag(
            text: raw.decode("text"),
            indices: raw.decode("indices")
        )
    }
}

extension Mention {
    static func from(raw: Json) throws -> Mention {
        try Mention(
            screenName: raw.decode("screen_name"),
            name: raw.decode("name"),
            id: raw.decode("id"),
            idString: raw.decode("id_str"),
            indices: raw.decode("indices")
        )
    }
}

extension Media {
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
}

extension MediaSizes {
    static func from(raw: Json) throws -> MediaSizes {
        try MediaSizes(
            medium: raw.decode("medium"),
            small: raw.decode("small"),
            thumb: raw.decode("thumb"),
            large: raw.decode("large")
        )
    }
}

extension MediaSize {
    static func from(raw: Json) throws -> MediaSize {
        try MediaSize(
            w: raw.decode("w"),
            h: raw.decode("h"),
            resize: raw.decode("resize")
        )
    }
}

extension LinkList {
    static func from(raw: Json) throws -> LinkList {
        try LinkList(
            urls: raw.decode("urls")
        )
    }
}

extension Link {
    static func from(raw: Json) throws -> Link {
        try Link(
            url: raw.decode("url"),
            expandedURL: raw.decode("expanded_url"),
            displayURL: raw.decode("display_url"),
            indices: raw.decode("indices")
        )
    }
}
