import Foundation

// Reads and writes files.

extension CacheFolder {
    private static let prefixOfUnfinished = ".writing-"
    /// An unfinished file that is older than these seconds counts as left by a process that has ended.
    private static let mostSecondsOfWriting: TimeInterval = 3600

    /// Returns the bytes of a file; `nil` if there is none, if it is hidden (``isHidden(_:)``), if it belongs to
    /// another user, if it is larger than the limit, or if it cannot be read.
    func read(_ key: HTTPCacheKey, limit: Int) -> Data? {
        if isHidden(key) { return nil }
        let file = file(of: key)
        guard let count = values(of: file)?.byteCount, count <= limit else { return nil }
        return try? Data(contentsOf: file)
    }

    /// Sets the modification date of a file to the time of its use. Files are evicted in the order of these dates.
    func touch(_ key: HTTPCacheKey, at time: Date) {
        try? FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: file(of: key).path)
    }

    /// Writes a file as a whole or not at all: writes it under another name, waits until it is on the disk, and renames
    /// it.
    func write(_ bytes: Data, for key: HTTPCacheKey, at time: Date) -> Bool {
        do {
            try makeFolder()
            try write(bytes, to: file(of: key))
        } catch {
            report(DiskCacheError(operation: .write, underlyingError: error))
            return false
        }
        show(name(of: key))
        touch(key, at: time)
        return true
    }

    /// Writes a file in one step: a reader finds the old contents or the new ones, never a part.
    private func write(_ bytes: Data, to file: URL) throws {
        let unfinished = url.appendingPathComponent(Self.prefixOfUnfinished + UUID().uuidString)
        guard FileManager.default.createFile(atPath: unfinished.path, contents: nil, attributes: Self.attributes) else {
            throw CocoaError(.fileWriteUnknown)
        }
        do {
            let handle = try FileHandle(forWritingTo: unfinished)
            defer { try? handle.close() }
            try handle.write(contentsOf: bytes)
            try handle.synchronize()
            guard replaceFile(at: file, by: unfinished) else { throw CocoaError(.fileWriteUnknown) }
        } catch {
            try? FileManager.default.removeItem(at: unfinished)
            throw error
        }
    }

    /// Returns the files of entries, and the files that are being written. Removes unfinished files that are older than
    /// an hour. Other files in the folder are left alone.
    /// - Throws: The error of the system, if the folder exists and cannot be read.
    func files(at time: Date) throws -> [File] {
        try names()
            .compactMap { name in
                let isUnfinished = name.hasPrefix(Self.prefixOfUnfinished)
                guard isUnfinished || name.hasSuffix(Self.suffix) else { return nil }
                guard let file = values(of: url.appendingPathComponent(name)) else { return nil }
                guard isUnfinished, time.timeIntervalSince(file.use) > Self.mostSecondsOfWriting else { return file }
                return remove(file) ? nil : file
            }
    }

    /// The names of all files; none if there is no folder.
    private func names() throws -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: url.path)
        } catch let error as CocoaError where error.isOfMissingFile {
            return []
        }
    }

    /// Removes all files of entries, and all files that are being written.
    func removeAll() {
        do {
            var areGone = true
            for file in try files(at: .distantPast) where !remove(file) { areGone = false }
            if areGone { showAll() }
        } catch {
            // The names of the files are unknown, so all are hidden.
            hideAll()
            report(DiskCacheError(operation: .remove, underlyingError: error))
        }
    }

    /// Makes the folder if there is none, readable only by the user. On Apple platforms it is excluded from backups.
    private func makeFolder() throws {
        if FileManager.default.fileExists(atPath: url.path) { return }
        try FileManager.default.createDirectory(
            at: url,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        #if canImport(Darwin)
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        var folder = url
        try? folder.setResourceValues(values)
        #endif
    }

    /// The attributes of a new file: only the user can read it. On iOS, tvOS, watchOS and visionOS it is encrypted
    /// until the first unlock after a restart of the device.
    private static var attributes: [FileAttributeKey: Any] {
        #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
        [.posixPermissions: 0o600, .protectionKey: FileProtectionType.completeUntilFirstUserAuthentication]
        #else
        [.posixPermissions: 0o600]
        #endif
    }
}
