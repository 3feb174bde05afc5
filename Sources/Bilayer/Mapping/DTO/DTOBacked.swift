/// A model that stores its DTO and adds properties.
///
/// Choose it if the model would repeat the fields of its DTO, for example those of a generated fragment. Every field of
/// the DTO is available on the model. A property of the model replaces the DTO's field of the same name.
///
/// ```swift
/// struct TripFragment: Codable, RawMappable {                      // a generated type
///     let name: String
///     let stops: [String]
/// }
///
/// struct Trip: DTOBacked {
///     let dto: TripFragment                                        // trip.name and trip.stops work
///     var name: String { dto.name.uppercased() }                   // replaces the DTO's
///     var isDirect: Bool { dto.stops.isEmpty }                     // added
/// }
/// ```
/// The default conversion stores the DTO unchanged and cannot fail. To check a rule, implement
/// ``DTODecodable/from(dto:)``:
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
    /// The type that the model is made from.
    associatedtype DTO

    /// The value that the model is made from, unchanged.
    var dto: DTO { get }

    /// Makes the model from its DTO. For a struct that is not public and has ``dto`` as its only stored property, the
    /// memberwise initializer satisfies this requirement. A public struct must declare the initializer.
    init(dto: DTO)
}

extension DTOBacked {
    /// A field of the DTO.
    public subscript<Value>(dynamicMember field: KeyPath<DTO, Value>) -> Value { dto[keyPath: field] }

    /// Makes the model from its DTO.
    /// - Parameter dto: The value of the lower layer.
    /// - Returns: The model.
    /// - Throws: Nothing; a custom implementation may throw.
    public static func from(dto: DTO) throws -> Self { Self(dto: dto) }
}

extension DTOBacked where Self: DTOEncodable {
    /// The DTO, unchanged.
    /// - Returns: The value of the lower layer.
    /// - Throws: Nothing.
    public func toDTO() throws -> DTO { dto }
}
