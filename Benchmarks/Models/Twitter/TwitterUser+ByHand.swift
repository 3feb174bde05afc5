import Bilayer

extension TwitterUser {
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
}

extension TwitterUserEntities {
    static func from(raw: Json) throws -> TwitterUserEntities {
        try TwitterUserEntities(
            url: raw.decodeIfPresent("url"),
            description: raw.decode("description")
        )
    }
}
