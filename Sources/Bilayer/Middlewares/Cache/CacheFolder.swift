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
    /// Receives what failed.
    let report: @Sendable (DiskCacheError) -> Void

    /// The path of the folder, by which it is the same one for all stores. It may not be there yet: then the links on
    /// the way to it are those of the last folder that is.
    var path: String {
        var existing = url.standardizedFileURL
        var missing: [String] = []
        while existing.pathComponents.count > 1, !FileManager.default.fileExists(atPath: existing.path) {
            missing.append(existing.lastPathComponent)
            existing = existing.deletingLastPathComponent()
        }
        return missing.reversed().reduce(existing.resolvingSymlinksInPath()) { $0.appendingPathComponent($1) }.path
    }

    /// The name of the file of an address.
    func name(of key: HTTPCacheKey) -> String { key.name + Self.suffix }

    func file(of key: HTTPCacheKey) -> URL { url.appendingPathComponent(name(of: key)) }

    func values(of file: URL) -> File? { try? values(reading: file) }

    /// `nil` for what is no regular file, or that of another user, who could have made up the responses in it.
    /// - Throws: The error of the system, if there is no such file or nothing of it can be read.
    func values(reading file: URL) throws -> File? {
        let values = try FileManager.default.attributesOfItem(atPath: file.path)
        guard values[.type] as? FileAttributeType == .typeRegular,
            (values[.ownerAccountID] as? NSNumber)?.uint32Value == geteuid(), let size = values[.size] as? NSNumber,
            let use = values[.modificationDate] as? Date
        else { return nil }
        return File(name: file.lastPathComponent, byteCount: size.intValue, use: use)
    }
}
