import Bilayer

extension TwitterSearch: JsonWritable {
    static func from(raw: Json) throws -> TwitterSearch {
        try TwitterSearch(
            statuses: raw.decode("statuses"),
            searchMetadata: raw.decode("search_metadata")
        )
    }

    func write(to json: inout JsonWriter) throws {
        try json.object { search in
            try search.write("statuses", statuses)
            try search.write("search_metadata", searchMetadata)
        }
    }
}

extension SearchMetadata: JsonWritable {
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

    func write(to json: inout JsonWriter) throws {
        try json.object { metadata in
            try metadata.write("completed_in", completedIn)
            try metadata.write("max_id", maxID)
            try metadata.write("max_id_str", maxIDString)
            try metadata.write("next_results", nextResults)
            try metadata.write("query", query)
            try metadata.write("refresh_url", refreshURL)
            try metadata.write("count", count)
            try metadata.write("since_id", sinceID)
            try metadata.write("since_id_str", sinceIDString)
        }
    }
}
