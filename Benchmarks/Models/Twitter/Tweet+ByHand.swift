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
        try json.writeObject { tweet in
            try tweet.write(metadata, forKey: "metadata")
            try tweet.write(createdAt, forKey: "created_at")
            try tweet.write(id, forKey: "id")
            try tweet.write(idString, forKey: "id_str")
            try tweet.write(text, forKey: "text")
            try tweet.write(source, forKey: "source")
            try tweet.write(truncated, forKey: "truncated")
            try tweet.writeIfPresent(inReplyToStatusID, forKey: "in_reply_to_status_id")
            try tweet.writeIfPresent(inReplyToStatusIDString, forKey: "in_reply_to_status_id_str")
            try tweet.writeIfPresent(inReplyToUserID, forKey: "in_reply_to_user_id")
            try tweet.writeIfPresent(inReplyToUserIDString, forKey: "in_reply_to_user_id_str")
            try tweet.writeIfPresent(inReplyToScreenName, forKey: "in_reply_to_screen_name")
            try tweet.write(user, forKey: "user")
            try tweet.writeIfPresent(retweetedStatus, forKey: "retweeted_status")
            try tweet.write(retweetCount, forKey: "retweet_count")
            try tweet.write(favoriteCount, forKey: "favorite_count")
            try tweet.write(entities, forKey: "entities")
            try tweet.write(favorited, forKey: "favorited")
            try tweet.write(retweeted, forKey: "retweeted")
            try tweet.writeIfPresent(possiblySensitive, forKey: "possibly_sensitive")
            try tweet.write(lang, forKey: "lang")
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
        try json.writeObject { retweet in
            try retweet.write(metadata, forKey: "metadata")
            try retweet.write(createdAt, forKey: "created_at")
            try retweet.write(id, forKey: "id")
            try retweet.write(idString, forKey: "id_str")
            try retweet.write(text, forKey: "text")
            try retweet.write(source, forKey: "source")
            try retweet.write(truncated, forKey: "truncated")
            try retweet.writeIfPresent(inReplyToStatusID, forKey: "in_reply_to_status_id")
            try retweet.writeIfPresent(inReplyToStatusIDString, forKey: "in_reply_to_status_id_str")
            try retweet.writeIfPresent(inReplyToUserID, forKey: "in_reply_to_user_id")
            try retweet.writeIfPresent(inReplyToUserIDString, forKey: "in_reply_to_user_id_str")
            try retweet.writeIfPresent(inReplyToScreenName, forKey: "in_reply_to_screen_name")
            try retweet.write(user, forKey: "user")
            try retweet.write(retweetCount, forKey: "retweet_count")
            try retweet.write(favoriteCount, forKey: "favorite_count")
            try retweet.write(entities, forKey: "entities")
            try retweet.write(favorited, forKey: "favorited")
            try retweet.write(retweeted, forKey: "retweeted")
            try retweet.writeIfPresent(possiblySensitive, forKey: "possibly_sensitive")
            try retweet.write(lang, forKey: "lang")
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
        try json.writeObject { metadata in
            try metadata.write(resultType, forKey: "result_type")
            try metadata.write(isoLanguageCode, forKey: "iso_language_code")
        }
    }
}
