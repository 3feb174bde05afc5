import Bilayer

extension TwitterSearch {
    static func from(raw: Json) throws -> TwitterSearch {
        try TwitterSearch(
            statuses: raw.decode("statuses"),
            searchMetadata: raw.decode("search_metadata")
        )
    }
}

extension SearchMetadata {
    static func from(raw: Json) throws -> SearchMetadata {
        try SearchMetadata(
            completedIn: raw.decode("completed_in"),
            maxID: raw.decode("max_id"),
            maxIDString: raw.decode("max_id_str"),
            nextResults: raw.decode("next_results"),
            query: raw.decode("query"),
            refreshURL: raw.decode("refresh_url"),
            count: raw.decode("count"),
            sinceID: raw.decode("since_id"),
            sinceIDString: raw.decode("since_id_str")
        )
    }
}
