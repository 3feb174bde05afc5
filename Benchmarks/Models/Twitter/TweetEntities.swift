import Bilayer

struct TweetEntities: CorpusModel {
    let hashtags: [Hashtag]
    let symbols: [String]
    let urls: [Link]
    let userMentions: [Mention]
    let media: [Media]?

    enum CodingKeys: String, CodingKey {
        case hashtags
        case symbols
        case urls
        case userMentions = "user_mentions"
        case media
    }
}

struct Hashtag: CorpusModel {
    let text: String
    let indices: [Int]
}

struct Mention: CorpusModel {
    let screenName: String
    let name: String
    let id: Int
    let idString: String
    let indices: [Int]

    enum CodingKeys: String, CodingKey {
        case screenName = "screen_name"
        case name
        case id
        case idString = "id_str"
        case indices
    }
}

struct Media: CorpusModel {
    let id: Int
    let idString: String
    let indices: [Int]
    let mediaURL: String
    let mediaURLHTTPS: String
    let url: String
    let displayURL: String
    let expandedURL: String
    let type: String
    let sizes: MediaSizes
    let sourceStatusID: Int?
    let sourceStatusIDString: String?

    enum CodingKeys: String, CodingKey {
        case id
        case idString = "id_str"
        case indices
        case mediaURL = "media_url"
        case mediaURLHTTPS = "media_url_https"
        case url
        case displayURL = "display_url"
        case expandedURL = "expanded_url"
        case type
        case sizes
        case sourceStatusID = "source_status_id"
        case sourceStatusIDString = "source_status_id_str"
    }
}

struct MediaSizes: CorpusModel {
    let medium: MediaSize
    let small: MediaSize
    let thumb: MediaSize
    let large: MediaSize
}

struct MediaSize: CorpusModel {
    let w: Int
    let h: Int
    let resize: String
}

struct LinkList: CorpusModel {
    let urls: [Link]
}

struct Link: CorpusModel {
    let url: String
    let expandedURL: String
    let displayURL: String
    let indices: [Int]

    enum CodingKeys: String, CodingKey {
        case url
        case expandedURL = "expanded_url"
        case displayURL = "display_url"
        case indices
    }
}
