package import Foundation

/// A model in two forms that mean the same: with `init(_ entry:)` written by hand, and as Bilayer has it. What both
/// need (the entries, where they are the same) counts for neither when lines are counted.
///
/// The functions give what they make as `Any`: it is not read, and the compiler must make it all the same.
package protocol TwoForms: SendableMetatype {
    /// An answer of the server.
    static var sample: String { get }

    /// Whether both forms make the same of the sample.
    static func agree() throws -> Bool

    /// The entries of a list of samples, as Foundation decodes them.
    static func foundationEntries(of list: Data) throws -> Any

    /// The entries that the form by hand starts from.
    static func entries(of list: Data) throws -> Any

    /// The models, by way of those entries.
    static func modelsByHand(of list: Data) throws -> Any

    /// The models as Bilayer has them.
    static func leanModels(of list: Data) throws -> Any
}

/// The five models, by name.
package let secondLayerForms: [(name: String, forms: any TwoForms.Type)] = [
    ("ShopOrder", ShopOrderForms.self), ("Feed", FeedForms.self), ("Profile", ProfileForms.self),
    ("Payments", PaymentsForms.self), ("Trip", TripForms.self),
]

extension TwoForms {
    /// A list of this many samples.
    package static func list(of count: Int) -> Data {
        Data("[\(Array(repeating: sample, count: count).joined(separator: ","))]".utf8)
    }
}

/// What the forms by hand are decoded with where keys are in snake case.
var snakeCaseDecoder: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return decoder
}
