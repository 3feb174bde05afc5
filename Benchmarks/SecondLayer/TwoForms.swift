package import Foundation

/// A model in two equivalent forms: with a hand-written `init(_ entry:)`, and with Bilayer. Code that both forms share,
/// such as equal entries, is not counted when their lines are compared.
///
/// The functions return their results as `Any`. The results are not read, but the compiler must not remove their
/// computation.
package protocol TwoForms: SendableMetatype {
    /// A response of the server.
    static var sample: String { get }

    /// Whether the models that both forms make from the sample are equal in the compared fields.
    static func agree() throws -> Bool

    /// Returns the entries of a list of samples, decoded by Foundation.
    static func foundationEntries(of list: Data) throws -> Any

    /// Returns the entries from which the hand-written form makes its models.
    static func entries(of list: Data) throws -> Any

    /// Returns the models of the hand-written form, made from the result of ``entries(of:)``.
    static func modelsByHand(of list: Data) throws -> Any

    /// Returns the models of Bilayer's form.
    static func leanModels(of list: Data) throws -> Any
}

/// The five models with their names.
package let secondLayerForms: [(name: String, forms: any TwoForms.Type)] = [
    ("ShopOrder", ShopOrderForms.self), ("Feed", FeedForms.self), ("Profile", ProfileForms.self),
    ("Payments", PaymentsForms.self), ("Trip", TripForms.self),
]

extension TwoForms {
    /// Returns a list with `count` samples.
    package static func list(of count: Int) -> Data {
        Data("[\(Array(repeating: sample, count: count).joined(separator: ","))]".utf8)
    }
}

/// The decoder of the hand-written forms for servers with snake_case keys.
var snakeCaseDecoder: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return decoder
}
