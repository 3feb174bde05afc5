import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The files of a ``DiskCacheStore``. Several processes may use one folder.
struct CacheFolder: Sendable {
    /// A file of the folder.
    struct File {
        let name: String
        let byteCount: Int
        let use: Date
    }

    static let suffix = ".entry"

    let url: URL
    /// Receives the errors of writes and removals.
    let report: @Sendable (DiskCacheError) -> Void

    /// The path of the folder without symbolic links, so that it is equal for all stores over the folder. If the folder
    /// does not exist yet, the links on the way to its last existing parent are resolved.
    var path: String {
        var existing = url.standardizedFileURL
        var missing: [String] = []
        while existing.pathComponents.count > 1, !FileManager.default.fileExists(atPath: existing.path) {
            missing.append(existing.lastPathComponent)
            existing = existing.deletingLastPathComponent()
        }
        return missing.reversed().reduce(existing.resolvingSymlinksInPath()) { $0.appendingPathComponent($1) }.path
    }

    /// The name of an address's file.
    func name(of key: HTTPCacheKey) -> String { key.name + Self.suffix }

    func file(of key: HTTPCacheKey) -> URL { url.appendingPathComponent(name(of: key)) }

    func values(of file: URL) -> File? { try? values(reading: file) }

    /// Returns the values of a file; `nil` if it is not a regular file, or belongs to another user. Another user could
    /// have forged the responses in it.
    /// - Throws: The error of the system, if there is no such file or its attributes cannot be read.
    func values(reading file: URL) throws -> File? {
        let values = try FileManager.default.attributesOfItem(atPath: file.path)
        guard values[.type] as? FileAttributeType == .typeRegular,
            (values[.ownerAccountID] as? NSNumber)?.uint32Value == geteuid(), let size = values[.size] as? NSNumber,
            let use = values[.modificationDate] as? Date
        else { return nil }
        return File(name: file.lastPathComponent, byteCount: size.intValue, use: use)
    }
}
