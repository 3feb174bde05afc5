import Bilayer
import Foundation

/// A user of which only the id and the registration date are read. Reading it measures dates and the skipping of all
/// other members.
struct RegistrationEntry: CorpusModel {
    let id: Int
    let createdAt: Date
}
