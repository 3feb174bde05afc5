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
        try json.writeObject { user in
            try user.write(id, forKey: "id")
            try user.write(idString, forKey: "id_str")
            try user.write(name, forKey: "name")
            try user.write(screenName, forKey: "screen_name")
            try user.write(location, forKey: "location")
            try user.write(description, forKey: "description")
            try user.writeIfPresent(url, forKey: "url")
            try user.write(entities, forKey: "entities")
            try user.write(protected, forKey: "protected")
            try user.write(followersCount, forKey: "followers_count")
            try user.write(friendsCount, forKey: "friends_count")
            try user.write(listedCount, forKey: "listed_count")
            try user.write(createdAt, forKey: "created_at")
            try user.write(favouritesCount, forKey: "favourites_count")
            try user.writeIfPresent(utcOffset, forKey: "utc_offset")
            try user.writeIfPresent(timeZone, forKey: "time_zone")
            try user.write(geoEnabled, forKey: "geo_enabled")
            try user.write(verified, forKey: "verified")
            try user.write(statusesCount, forKey: "statuses_count")
            try user.write(lang, forKey: "lang")
            try user.write(contributorsEnabled, forKey: "contributors_enabled")
            try user.write(isTranslator, forKey: "is_translator")
            try user.write(isTranslationEnabled, forKey: "is_translation_enabled")
            try user.write(profileBackgroundColor, forKey: "profile_background_color")
            try user.write(profileBackgroundImageURL, forKey: "profile_background_image_url")
            try user.write(profileBackgroundImageURLHTTPS, forKey: "profile_background_image_url_https")
            try user.write(profileBackgroundTile, forKey: "profile_background_tile")
            try user.write(profileImageURL, forKey: "profile_image_url")
            try user.write(profileImageURLHTTPS, forKey: "profile_image_url_https")
            try user.writeIfPresent(profileBannerURL, forKey: "profile_banner_url")
            try user.write(profileLinkColor, forKey: "profile_link_color")
            try user.write(profileSidebarBorderColor, forKey: "profile_sidebar_border_color")
            try user.write(profileSidebarFillColor, forKey: "profile_sidebar_fill_color")
            try user.write(profileTextColor, forKey: "profile_text_color")
            try user.write(profileUseBackgroundImage, forKey: "profile_use_background_image")
            try user.write(defaultProfile, forKey: "default_profile")
            try user.write(defaultProfileImage, forKey: "default_profile_image")
            try user.write(following, forKey: "following")
            try user.write(followRequestSent, forKey: "follow_request_sent")
            try user.write(notifications, forKey: "notifications")
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
        try json.writeObject { entities in
            try entities.writeIfPresent(url, forKey: "url")
            try entities.write(description, forKey: "description")
        }
    }
}
