import Bilayer
import Foundation

/// Writes the rows as a JSON array with one row a line.
func write(_ rows: [Row], to file: String) throws {
    let lines = rows.map { $0.json.description }
    try write("[\n" + lines.joined(separator: ",\n") + "\n]\n", to: file)
}

func write(_ text: String, to file: String) throws {
    do {
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
    } catch {
        throw UsageError("\(file) cannot be written")
    }
}

/// - Throws: `UsageError` if the file cannot be read, is not JSON, has no rows, or has anything that is no row.
func readRows(from file: String) throws -> [Row] {
    guard let data = try? Data(contentsOf: URL(fileURLWithPath: file)) else {
        throw UsageError("--compare: \(file) cannot be read")
    }
    let json: Json
    do {
        json = try Json(parsing: data)
    } catch {
        throw UsageError("--compare: \(file) is not JSON: \(error)")
    }
    let rows = json.elements.compactMap(Row.init(json:))
    guard !rows.isEmpty, rows.count == json.count else {
        throw UsageError("--compare: \(file) holds no rows of this benchmark")
    }
    return rows
}

extension Row {
    fileprivate var json: Json {
        [
            "suite": Json(suite),
            "corpus": Json(corpus),
            "engine": Json(engine),
            "median_ns": rounded(medianNanoseconds, places: 1),
            "mb_per_s": rounded(megabytesPerSecond, places: 2),
            "ratio_to_foundation": rounded(ratioToFoundation, places: 3),
            "mallocs": mallocs.map { Json($0) } ?? .null,
            "peak_bytes": peakBytes.map { Json($0) } ?? .null,
        ]
    }

    /// Returns `nil` if one of the three names is missing.
    fileprivate init?(json: Json) {
        guard let suite = json["suite"]?.string, let corpus = json["corpus"]?.string,
            let engine = json["engine"]?.string
        else { return nil }
        self.init(suite: suite, corpus: corpus, engine: engine)
        medianNanoseconds = json["median_ns"]?.double
        megabytesPerSecond = json["mb_per_s"]?.double
        ratioToFoundation = json["ratio_to_foundation"]?.double
        mallocs = json["mallocs"]?.int
        peakBytes = json["peak_bytes"]?.int
    }

    private func rounded(_ number: Double?, places: Int) -> Json {
        guard let number else { return .null }
        let scale = pow(10, Double(places))
        return Json((number * scale).rounded() / scale) ?? .null
    }
}
