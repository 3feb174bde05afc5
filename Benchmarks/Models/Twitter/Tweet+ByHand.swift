import Bilayer

extension Tweet {
    static func from(raw: Json) throws -> Tweet {
        try Tweet(
            metadata: raw.decode("metadata"),
            createdAt: raw.decode("created_at"),
            id: raw.decode("id"),
            idString: raw.decode("id_str"),
            text: raw.decode("text"),
            source: raw.decode("source"),
            truncated: raw.decode("truncated"),
            inReplyToStatusID: raw.decodeIfPresent("in_reply_to_status_id"),
            inReplyToStatusIDString: raw.decodeIfPresent("in_reply_to_status_id_str"),
            inReplyToUserID: raw.decodeIfPresent("in_reply_to_user_id"),
            inReplyToUserIDString: raw.decodeIfPresent("in_reply_to_user_id_str"),
            inReplyToScreenName: raw.decodeIfPresent("in_reply_to_screen_name"),
            user: raw.decode("user"),
            retweetedStatus: raw.decodeIfPresent("retweeted_status"),
            retweetCount: raw.decode("retweet_count"),
            favoriteCount: raw.decode("favorite_count"),
            entities: raw.decode("entities"),
            favorited: raw.decode("favorited"),
            retweeted: raw.decode("retweeted"),
            possiblySensitive: raw.decodeIfPresent("possibly_sensitive"),
            lang: raw.decode("lang")
        )
    }
}

extension Retweet {
    static func from(raw: Json) throws -> Retweet {
        try Retweet(
            metadata: raw.decode("metadata"),
            createdAt: raw.decode("created_at"),
            id: raw.decode("id"),
            idString: raw.decode("id_str"),
            text: raw.decode("text"),
            source: raw.decode("source"),
            truncated: raw.decode("truncated"),
            inReplyToStatusID: raw.decodeIfPresent("in_reply_to_status_id"),
            inReplyToStatusIDString: raw.decodeIfPresent("in_reply_to_status_id_str"),
            inReplyToUserID: raw.decodeIfPresent("in_reply_to_user_id"),
            inReplyToUserIDString: raw.decodeIfPresent("in_reply_to_user_id_str"),
            inReplyToScreenName: raw.decodeIfPresent("in_reply_to_screen_name"),
            user: raw.decode("user"),
            retweetCount: raw.decode("retweet_count"),
            favoriteCount: raw.decode("favorite_count"),
            entities: raw.decode("entities"),
            favorited: raw.decode("favorited"),
            retweeted: raw.decode("retweeted"),
            possiblySensitive: raw.decodeIfPresent("possibly_sensitive"),
            lang: raw.decode("lang")
        )
    }
}

extension TweetMetadata {
    static func from(raw: Json) throws -> TweetMetadata {
        try TweetMetadata(
            resultType: raw.decode("result_type"),
            isoLanguageCode: raw.decode("iso_language_code")
        )
    }
}
