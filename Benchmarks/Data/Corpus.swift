import Bilayer
import Foundation

/// What the engines fill: a type that Foundation and Bilayer can both read and write, and whose values can be compared.
/// Raw mapping is written by hand beside each type, so that both of Bilayer's ways can be measured.
protocol CorpusModel: Codable, RawMappable, Equatable, Sendable where Raw == Json {}

extension Array: CorpusModel where Element: CorpusModel {}

/// A body and the type it is decoded into.
protocol AnyCorpus<Model>: Sendable {
    associatedtype Model: CorpusModel
    var name: String { get }
    var body: Data { get }
}

struct Corpus<Model: CorpusModel>: AnyCorpus {
    let name: String
    let body: Data
}

extension AnyCorpus {
    /// Foundation's reading of the body: what every engine's result is compared with.
    func expectedModel() throws -> Model {
        try JSONDecoder().decode(Model.self, from: body)
    }
}
