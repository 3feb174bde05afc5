import Bilayer
import Foundation

/// The same users, of whom only the registration date is wanted: dates, and skipping of everything else.
struct RegistrationEntry: CorpusModel {
    let id: Int
    let createdAt: Date
}
