/// A model that is its DTO, plus what the app adds to it: nothing is written twice.
///
/// Choose it where the model would mirror the DTO field by field, a generated fragment for example. Every field of the
/// DTO reads as one of the model; what the app wants otherwise is a property of the model, and wins.
///
/// ```swift
/// struct TripFragment: Codable, RawMappable {                      // stands for a generated type
///     let name: String
///     let stops: [String]
/// }
///
/// struct Trip: DTOBacked {
///     let dto: TripFragment                                        // name and stops read as the trip's own
///     var name: String { dto.name.uppercased() }                   // otherwise than in the DTO
///     var isDirect: Bool { dto.stops.isEmpty }                     // added
/// }
/// ```
/// The conversion keeps the DTO as it is and cannot fail. For a rule that a value must keep, write
/// ``DTODecodable/from(dto:)`` and check it there:
///
/// ```swift
/// struct NamedTrip: DTOBacked {
///     let dto: TripFragment
///
///     static func from(dto: TripFragment) throws -> NamedTrip {
///         try require(that: !dto.name.isEmpty, "a trip has a name", at: "name")
///         return NamedTrip(dto: dto)
///     }
/// }
/// ```
@dynamicMemberLookup
public protocol DTOBacked: DTODecodable {
    /// What the model is made from.
    associatedtype DTO

    /// What the model is made from, kept as it is.
    var dto: DTO { get }

    /// Makes the model around its DTO. The memberwise initialiser of a struct whose only stored property is ``dto``
    /// does.
    init(dto: DTO)
}

extension DTOBacked {
    /// A field of the DTO, read as the model's own.
    public subscript<Value>(dynamicMember field: KeyPath<DTO, Value>) -> Value { dto[keyPath: field] }

    /// Keeps the DTO.
    /// - Parameter dto: The value of the lower layer.
    /// - Returns: The model around it.
    /// - Throws: Nothing; a conversion of your own may.
    public static func from(dto: DTO) throws -> Self { Self(dto: dto) }
}

extension DTOBacked where Self: DTOEncodable {
    /// The DTO as it is.
    /// - Returns: The value of the lower layer.
    public func toDTO() throws -> DTO { dto }
}
