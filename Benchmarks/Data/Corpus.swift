import Bilayer
import Foundation

/// A type that the engines decode and encode. Foundation and Bilayer can both read and write it, and its values can be
/// compared. The types of `Corpora` also have a raw mapping written by hand, so that both ways of Bilayer can be
/// measured.
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
    /// Returns the value that Foundation decodes from the body. Most suites compare the results of the other engines
    /// with it.
    func expectedModel() throws -> Model {
        try JSONDecoder().decode(Model.self, from: body)
    }
}
