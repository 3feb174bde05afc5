import Bilayer

extension Tweet: JsonWritable {
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

    func write(to json: inout JsonWriter) throws {
        try json.object { tweet in
            try tweet.write("metadata", metadata)
            try tweet.write("created_at", createdAt)
            try tweet.write("id", id)
            try tweet.write("id_str", idString)
            try tweet.write("text", text)
            try tweet.write("source", source)
            try tweet.write("truncated", truncated)
            try tweet.writeIfPresent("in_reply_to_status_id", inReplyToStatusID)
            try tweet.writeIfPresent("in_reply_to_status_id_str", inReplyToStatusIDString)
            try tweet.writeIfPresent("in_reply_to_user_id", inReplyToUserID)
            try tweet.writeIfPresent("in_reply_to_user_id_str", inReplyToUserIDString)
            try tweet.writeIfPresent("in_reply_to_screen_name", inReplyToScreenName)
            try tweet.write("user", user)
            try tweet.writeIfPresent("retweeted_status", retweetedStatus)
            try tweet.write("retweet_count", retweetCount)
            try tweet.write("favorite_count", favoriteCount)
            try tweet.write("entities", entities)
            try tweet.write("favorited", favorited)
            try tweet.write("retweeted", retweeted)
            try tweet.writeIfPresent("possibly_sensitive", possiblySensitive)
            try tweet.write("lang", lang)
        }
    }
}

extension Retweet: JsonWritable {
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

    func write(to json: inout JsonWriter) throws {
        try json.object { retweet in
            try retweet.write("metadata", metadata)
            try retweet.write("created_at", createdAt)
            try retweet.write("id", id)
            try retweet.write("id_str", idString)
            try retweet.write("text", text)
            try retweet.write("source", source)
            try retweet.write("truncated", truncated)
            try retweet.writeIfPresent("in_reply_to_status_id", inReplyToStatusID)
            try retweet.writeIfPresent("in_reply_to_status_id_str", inReplyToStatusIDString)
            try retweet.writeIfPresent("in_reply_to_user_id", inReplyToUserID)
            try retweet.writeIfPresent("in_reply_to_user_id_str", inReplyToUserIDString)
            try retweet.writeIfPresent("in_reply_to_screen_name", inReplyToScreenName)
            try retweet.write("user", user)
            try retweet.write("retweet_count", retweetCount)
            try retweet.write("favorite_count", favoriteCount)
            try retweet.write("entities", entities)
            try retweet.write("favorited", favorited)
            try retweet.write("retweeted", retweeted)
            try retweet.writeIfPresent("possibly_sensitive", possiblySensitive)
            try retweet.write("lang", lang)
        }
    }
}

extension TweetMetadata: JsonWritable {
    static func from(raw: Json) throws -> TweetMetadata {
        try TweetMetadata(
            resultType: raw.decode("result_type"),
            isoLanguageCode: raw.decode("iso_language_code")
        )
    }

    func write(to json: inout JsonWriter) throws {
        try json.object { metadata in
            try metadata.write("result_type", resultType)
            try metadata.write("iso_language_code", isoLanguageCode)
        }
    }
}
