extension QueryItems {
    /// Makes a query from a model, through both layers.
    ///
    /// ```swift
    /// struct Search: Codable, RawMappable {
    ///     let text: String
    ///     let tags: [String]
    ///     let isNew: Bool?
    /// }
    ///
    /// let search = Search(text: "black tea", tags: ["organic", "loose"], isNew: nil)
    /// let route = Route<[Photo]>.get("photos", query: .encoding(search, arrays: .brackets))
    /// // photos?text=black%20tea&tags%5B%5D=organic&tags%5B%5D=loose
    /// ```
    /// Optionals without a value are left out, and the keys of a nested value are in brackets: `price[max]=10`. If the
    /// value cannot be written, the call with the query fails: its ``CallError`` has a ``MappingError`` as the
    /// underlying error. A query is made together with its route, before the client is known. So it does not follow the
    /// client's conventions.
    /// - Parameters:
    ///   - value: A model, which is written as a JSON object first.
    ///   - arrays: The spelling of arrays.
    ///   - booleans: The spelling of Boolean values.
    ///   - isSorted: Whether the items are in the order of their names.
    ///   - conventions: The naming of keys and the formats of certain types, ``Client/conventions`` for example.
    /// - Returns: The query.
    public static func encoding<Model: DTOEncodable & Sendable>(
        _ value: Model,
        arrays: FormArrays = .repeated,
        booleans: FormBooleans = .words,
        isSorted: Bool = false,
        conventions: CodingConventions = CodingConventions()
    ) -> QueryItems where Model.DTO: RawEncodable, Model.DTO.Raw == Json {
        let style = FormStyle(arrays: arrays, booleans: booleans, isSorted: isSorted)
        return QueryItems(BodyValue(model: value), style, conventions)
    }

    /// Makes a query from an entry.
    /// - Parameters:
    ///   - value: An entry, which is written as a JSON object first.
    ///   - arrays: The spelling of arrays.
    ///   - booleans: The spelling of Boolean values.
    ///   - isSorted: Whether the items are in the order of their names.
    ///   - conventions: The naming of keys and the formats of certain types, ``Client/conventions`` for example.
    /// - Returns: The query.
    @_disfavoredOverload
    public static func encoding<Entry: RawEncodable & Sendable>(
        _ value: Entry,
        arrays: FormArrays = .repeated,
        booleans: FormBooleans = .words,
        isSorted: Bool = false,
        conventions: CodingConventions = CodingConventions()
    ) -> QueryItems where Entry.Raw == Json {
        let style = FormStyle(arrays: arrays, booleans: booleans, isSorted: isSorted)
        return QueryItems(BodyValue(entry: value), style, conventions)
    }

    /// Makes a query from a value that is only `Encodable`.
    /// - Parameters:
    ///   - value: A value, which is written as a JSON object first.
    ///   - arrays: The spelling of arrays.
    ///   - booleans: The spelling of Boolean values.
    ///   - isSorted: Whether the items are in the order of their names.
    ///   - conventions: The naming of keys and the formats of certain types, ``Client/conventions`` for example.
    /// - Returns: The query.
    @_disfavoredOverload
    public static func encoding<Value: Encodable & Sendable>(
        _ value: Value,
        arrays: FormArrays = .repeated,
        booleans: FormBooleans = .words,
        isSorted: Bool = false,
        conventions: CodingConventions = CodingConventions()
    ) -> QueryItems {
        let style = FormStyle(arrays: arrays, booleans: booleans, isSorted: isSorted)
        return QueryItems(BodyValue(encoding: value), style, conventions)
    }

    /// Makes a query from a `Codable` entry.
    /// - Parameters:
    ///   - value: An entry, which is written as a JSON object first.
    ///   - arrays: The spelling of arrays.
    ///   - booleans: The spelling of Boolean values.
    ///   - isSorted: Whether the items are in the order of their names.
    ///   - conventions: The naming of keys and the formats of certain types, ``Client/conventions`` for example.
    /// - Returns: The query.
    @_disfavoredOverload
    public static func encoding<Entry: Encodable & RawEncodable & Sendable>(
        _ value: Entry,
        arrays: FormArrays = .repeated,
        booleans: FormBooleans = .words,
        isSorted: Bool = false,
        conventions: CodingConventions = CodingConventions()
    ) -> QueryItems where Entry.Raw == Json {
        let style = FormStyle(arrays: arrays, booleans: booleans, isSorted: isSorted)
        return QueryItems(BodyValue(entry: value), style, conventions)
    }

    private init(_ value: BodyValue, _ style: FormStyle, _ conventions: CodingConventions) {
        do {
            self.init(items: try style.items(of: value.json(under: conventions)))
        } catch {
            self.init(failure: error)
        }
    }
}
