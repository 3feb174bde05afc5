import Foundation

/// Writes the rows as a JSON array, a row a line.
func write(_ rows: [Row], to file: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.withoutEscapingSlashes]
    let lines = try rows.map { try String(decoding: encoder.encode($0), as: UTF8.self) }
    try write("[\n" + lines.joined(separator: ",\n") + "\n]\n", to: file)
}

func write(_ text: String, to file: String) throws {
    do {
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
    } catch {
        throw UsageError("\(file) cannot be written")
    }
}

/// - Throws: `UsageError` if the file cannot be read or holds no rows.
func readRows(from file: String) throws -> [Row] {
    guard let data = try? Data(contentsOf: URL(fileURLWithPath: file)) else {
        throw UsageError("--compare: \(file) cannot be read")
    }
    do {
        return try JSONDecoder().decode([Row].self, from: data)
    } catch {
        throw UsageError("--compare: \(file) holds no rows of this benchmark (\(error))")
    }
}
