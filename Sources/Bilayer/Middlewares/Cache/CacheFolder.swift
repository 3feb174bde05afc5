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

    private static let suffix = ".entry"
    private static let prefixOfUnfinished = ".writing-"
    /// After this time a file that is not finished is one of a process that ended.
    private static let mostSecondsOfWriting: TimeInterval = 3600

    let url: URL

    /// The bytes of a file; `nil` if there is none, or if it is larger than the limit.
    func read(_ key: HTTPCacheKey, limit: Int) -> Data? {
        let file = file(of: key)
        guard let count = values(of: file)?.byteCount, count <= limit else { return nil }
        return try? Data(contentsOf: file)
    }

    /// Notes the use of a file, for the order of eviction.
    func touch(_ key: HTTPCacheKey, at time: Date) {
        try? FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: file(of: key).path)
    }

    /// Writes a file as a whole or not at all: to another name, to the disk, then under its own name.
    func write(_ bytes: Data, for key: HTTPCacheKey, at time: Date) -> Bool {
        guard makeFolder() else { return false }
        let unfinished = url.appendingPathComponent(Self.prefixOfUnfinished + UUID().uuidString)
        guard FileManager.default.createFile(atPath: unfinished.path, contents: nil, attributes: Self.attributes) else {
            return false
        }
        do {
            let handle = try FileHandle(forWritingTo: unfinished)
            defer { try? handle.close() }
            try handle.write(contentsOf: bytes)
            try handle.synchronize()
        } catch {
            try? FileManager.default.removeItem(at: unfinished)
            return false
        }
        guard replaceFile(at: file(of: key), by: unfinished) else {
            try? FileManager.default.removeItem(at: unfinished)
            return false
        }
        touch(key, at: time)
        return true
    }

    /// Removes a file.
    func remove(_ key: HTTPCacheKey) { try? FileManager.default.removeItem(at: file(of: key)) }

    /// Removes a file that ``files(at:)`` found.
    func remove(_ file: File) { try? FileManager.default.removeItem(at: url.appendingPathComponent(file.name)) }

    /// The files of entries, and those that are being written. Removes those that were never finished. Other files in
    /// the folder are left alone.
    func files(at time: Date) -> [File] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
        return names.compactMap { name in
            let isUnfinished = name.hasPrefix(Self.prefixOfUnfinished)
            guard isUnfinished || name.hasSuffix(Self.suffix) else { return nil }
            guard let file = values(of: url.appendingPathComponent(name)) else { return nil }
            guard isUnfinished, time.timeIntervalSince(file.use) > Self.mostSecondsOfWriting else { return file }
            remove(file)
            return nil
        }
    }

    private func file(of key: HTTPCacheKey) -> URL { url.appendingPathComponent(key.name + Self.suffix) }

    /// `nil` for what is no regular file, or that of another user, who could have made up the responses in it.
    private func values(of file: URL) -> File? {
        guard let values = try? FileManager.default.attributesOfItem(atPath: file.path),
            values[.type] as? FileAttributeType == .typeRegular,
            (values[.ownerAccountID] as? NSNumber)?.uint32Value == geteuid(), let size = values[.size] as? NSNumber,
            let use = values[.modificationDate] as? Date
        else { return nil }
        return File(name: file.lastPathComponent, byteCount: size.intValue, use: use)
    }

    /// Readable only by the user. On Apple's devices also encrypted until the first unlocking, and in no backup.
    private func makeFolder() -> Bool {
        if FileManager.default.fileExists(atPath: url.path) { return true }
        do {
            try FileManager.default.createDirectory(
                at: url,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            return false
        }
        #if canImport(Darwin)
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        var folder = url
        try? folder.setResourceValues(values)
        #endif
        return true
    }

    private static var attributes: [FileAttributeKey: Any] {
        #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
        [.posixPermissions: 0o600, .protectionKey: FileProtectionType.completeUntilFirstUserAuthentication]
        #else
        [.posixPermissions: 0o600]
        #endif
    }
}
