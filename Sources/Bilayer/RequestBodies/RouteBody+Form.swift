import Foundation

extension RouteBody {
    /// Makes a form from a model, through both layers.
    ///
    /// ```swift
    /// struct SignUp: Codable, RawMappable {
    ///     let name: String
    ///     let age: Int
    /// }
    ///
    /// let route = Route<Json>.post("sign-up", body: .form(SignUp(name: "Ada Lovelace", age: 36)))
    /// // name=Ada+Lovelace&age=36
    /// ```
    /// The body is `application/x-www-form-urlencoded` (WHATWG URL §5.2). If the value is not written as a JSON object,
    /// or a member does not fit the spelling of arrays, the call fails: its ``CallError`` has a ``MappingError`` as the
    /// underlying error.
    /// - Parameters:
    ///   - value: A model, which is written as a JSON object first.
    ///   - arrays: The spelling of arrays.
    ///   - booleans: The spelling of Boolean values.
    ///   - isSorted: Whether the fields are in the order of their names.
    ///   - conventions: The naming of keys and the formats of certain types. `nil` uses the conventions of the call.
    /// - Returns: The body.
    public static func form<Model: DTOEncodable & Sendable>(
        _ value: Model,
        arrays: FormArrays = .repeated,
        booleans: FormBooleans = .words,
        isSorted: Bool = false,
        conventions: CodingConventions? = nil
    ) -> RouteBody where Model.DTO: RawEncodable, Model.DTO.Raw == Json {
        form(
            BodyValue(model: value),
            FormStyle(arrays: arrays, booleans: booleans, isSorted: isSorted),
            conventions
        )
    }

    /// Makes a form from an entry.
    /// - Parameters:
    ///   - value: An entry, which is written as a JSON object first.
    ///   - arrays: The spelling of arrays.
    ///   - booleans: The spelling of Boolean values.
    ///   - isSorted: Whether the fields are in the order of their names.
    ///   - conventions: The naming of keys and the formats of certain types. `nil` uses the conventions of the call.
    /// - Returns: The body.
    @_disfavoredOverload
    public static func form<Entry: RawEncodable & Sendable>(
        _ value: Entry,
        arrays: FormArrays = .repeated,
        booleans: FormBooleans = .words,
        isSorted: Bool = false,
        conventions: CodingConventions? = nil
    ) -> RouteBody where Entry.Raw == Json {
        form(
            BodyValue(entry: value),
            FormStyle(arrays: arrays, booleans: booleans, isSorted: isSorted),
            conventions
        )
    }

    /// Makes a form from a value that is only `Encodable`.
    /// - Parameters:
    ///   - value: A value, which is written as a JSON object first.
    ///   - arrays: The spelling of arrays.
    ///   - booleans: The spelling of Boolean values.
    ///   - isSorted: Whether the fields are in the order of their names.
    ///   - conventions: The naming of keys and the formats of certain types. `nil` uses the conventions of the call.
    /// - Returns: The body.
    @_disfavoredOverload
    public static func form<Value: Encodable & Sendable>(
        _ value: Value,
        arrays: FormArrays = .repeated,
        booleans: FormBooleans = .words,
        isSorted: Bool = false,
        conventions: CodingConventions? = nil
    ) -> RouteBody {
        form(
            BodyValue(encoding: value),
            FormStyle(arrays: arrays, booleans: booleans, isSorted: isSorted),
            conventions
        )
    }

    /// Makes a form from a `Codable` entry.
    /// - Parameters:
    ///   - value: An entry, which is written as a JSON object first.
    ///   - arrays: The spelling of arrays.
    ///   - booleans: The spelling of Boolean values.
    ///   - isSorted: Whether the fields are in the order of their names.
    ///   - conventions: The naming of keys and the formats of certain types. `nil` uses the conventions of the call.
    /// - Returns: The body.
    @_disfavoredOverload
    public static func form<Entry: Encodable & RawEncodable & Sendable>(
        _ value: Entry,
        arrays: FormArrays = .repeated,
        booleans: FormBooleans = .words,
        isSorted: Bool = false,
        conventions: CodingConventions? = nil
    ) -> RouteBody where Entry.Raw == Json {
        form(
            BodyValue(entry: value),
            FormStyle(arrays: arrays, booleans: booleans, isSorted: isSorted),
            conventions
        )
    }

    private static func form(
        _ value: BodyValue,
        _ style: FormStyle,
        _ conventions: CodingConventions?
    ) -> RouteBody {
        RouteBody(named: "WriteForm", value, conventions) { json in
            let text = try style.items(of: json).formText
            return RequestBody(Data(text.utf8), mediaType: "application/x-www-form-urlencoded")
        }
    }
}
