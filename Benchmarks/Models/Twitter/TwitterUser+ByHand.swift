import Bilayer

extension TwitterUser: JsonWritable {
    static func from(raw: Json) throws -> TwitterUser {
        try TwitterUser(
            id: raw.decode("id"),
            idString: raw.decode("id_str"),
            name: raw.decode("name"),
            screenName: raw.decode("screen_name"),
            location: raw.decode("location"),
            description: raw.decode("description"),
            url: raw.decodeIfPresent("url"),
            entities: raw.decode("entities"),
            protected: raw.decode("protected"),
            followersCount: raw.decode("followers_count"),
            friendsCount: raw.decode("friends_count"),
            listedCount: raw.decode("listed_count"),
            createdAt: raw.decode("created_at"),
            favouritesCount: raw.decode("favourites_count"),
            utcOffset: raw.decodeIfPresent("utc_offset"),
            timeZone: raw.decodeIfPresent("time_zone"),
            geoEnabled: raw.decode("geo_enabled"),
            verified: raw.decode("verified"),
            statusesCount: raw.decode("statuses_count"),
            lang: raw.decode("lang"),
            contributorsEnabled: raw.decode("contributors_enabled"),
            isTranslator: raw.decode("is_translator"),
            isTranslationEnabled: raw.decode("is_translation_enabled"),
            profileBackgroundColor: raw.decode("profile_background_color"),
            profileBackgroundImageURL: raw.decode("profile_background_image_url"),
            profileBackgroundImageURLHTTPS: raw.decode("profile_background_image_url_https"),
            profileBackgroundTile: raw.decode("profile_background_tile"),
            profileImageURL: raw.decode("profile_image_url"),
            profileImageURLHTTPS: raw.decode("profile_image_url_https"),
            profileBannerURL: raw.decodeIfPresent("profile_banner_url"),
            profileLinkColor: raw.decode("profile_link_color"),
            profileSidebarBorderColor: raw.decode("profile_sidebar_border_color"),
            profileSidebarFillColor: raw.decode("profile_sidebar_fill_color"),
            profileTextColor: raw.decode("profile_text_color"),
            profileUseBackgroundImage: raw.decode("profile_use_background_image"),
            defaultProfile: raw.decode("default_profile"),
            defaultProfileImage: raw.decode("default_profile_image"),
            following: raw.decode("following"),
            followRequestSent: raw.decode("follow_request_sent"),
            notifications: raw.decode("notifications")
        )
    }

    func write(to json: inout JsonWriter) throws {
        try json.object { user in
            try user.write("id", id)
            try user.write("id_str", idString)
            try user.write("name", name)
            try user.write("screen_name", screenName)
            try user.write("location", location)
            try user.write("description", description)
            try user.writeIfPresent("url", url)
            try user.write("entities", entities)
            try user.write("protected", protected)
            try user.write("followers_count", followersCount)
            try user.write("friends_count", friendsCount)
            try user.write("listed_count", listedCount)
            try user.write("created_at", createdAt)
            try user.write("favourites_count", favouritesCount)
            try user.writeIfPresent("utc_offset", utcOffset)
            try user.writeIfPresent("time_zone", timeZone)
            try user.write("geo_enabled", geoEnabled)
            try user.write("verified", verified)
            try user.write("statuses_count", statusesCount)
            try user.write("lang", lang)
            try user.write("contributors_enabled", contributorsEnabled)
            try user.write("is_translator", isTranslator)
            try user.write("is_translation_enabled", isTranslationEnabled)
            try user.write("profile_background_color", profileBackgroundColor)
            try user.write("profile_background_image_url", profileBackgroundImageURL)
            try user.write("profile_background_image_url_https", profileBackgroundImageURLHTTPS)
            try user.write("profile_background_tile", profileBackgroundTile)
            try user.write("profile_image_url", profileImageURL)
            try user.write("profile_image_url_https", profileImageURLHTTPS)
            try user.writeIfPresent("profile_banner_url", profileBannerURL)
            try user.write("profile_link_color", profileLinkColor)
            try user.write("profile_sidebar_border_color", profileSidebarBorderColor)
            try user.write("profile_sidebar_fill_color", profileSidebarFillColor)
            try user.write("profile_text_color", profileTextColor)
            try user.write("profile_use_background_image", profileUseBackgroundImage)
            try user.write("default_profile", defaultProfile)
            try user.write("default_profile_image", defaultProfileImage)
            try user.write("following", following)
            try user.write("follow_request_sent", followRequestSent)
            try user.write("notifications", notifications)
        }
    }
}

extension TwitterUserEntities: JsonWritable {
    static func from(raw: Json) throws -> TwitterUserEntities {
        try TwitterUserEntities(
            url: raw.decodeIfPresent("url"),
            description: raw.decode("description")
        )
    }

    func write(to json: inout JsonWriter) throws {
        try json.object { entities in
            try entities.writeIfPresent("url", url)
            try entities.write("description", description)
        }
    }
}
