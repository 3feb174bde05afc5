import Bilayer

extension TwitterSearch: JsonWritable {
    static func from(raw: Json) throws -> TwitterSearch {
        try TwitterSearch(
            statuses: raw.decode("statuses"),
            searchMetadata: raw.decode("search_metadata")
        )
    }

    func write(to json: inout JsonWriter) throws {
        try json.writeObject { search in
            try search.write(statuses, forKey: "statuses")
            try search.write(searchMetadata, forKey: "search_metadata")
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
        try json.writeObject { metadata in
            try metadata.write(completedIn, forKey: "completed_in")
            try metadata.write(maxID, forKey: "max_id")
            try metadata.write(maxIDString, forKey: "max_id_str")
            try metadata.write(nextResults, forKey: "next_results")
            try metadata.write(query, forKey: "query")
            try metadata.write(refreshURL, forKey: "refresh_url")
            try metadata.write(count, forKey: "count")
            try metadata.write(sinceID, forKey: "since_id")
            try metadata.write(sinceIDString, forKey: "since_id_str")
        }
    }
}
