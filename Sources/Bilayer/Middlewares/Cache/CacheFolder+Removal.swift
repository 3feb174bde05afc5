import Foundation

// Removes files, in a folder that may be read-only. A file that can be neither removed nor emptied is hidden: no store
// of this process reads it.

extension CacheFolder {
    /// Removes a file. If it cannot be removed, empties it. If it cannot be emptied either, hides it from all stores of
    /// this process.
    func remove(_ key: HTTPCacheKey) { _ = remove(named: name(of: key)) }

    /// Removes a file that ``files(at:)`` found.
    /// - Returns: Whether the file was removed or emptied.
    func remove(_ file: File) -> Bool { remove(named: file.name) }

    /// Whether a file is hidden, because it could not be removed. Tries again to remove a hidden file.
    func isHidden(_ key: HTTPCacheKey) -> Bool {
        let name = name(of: key)
        guard hasHiddenFiles, hidden({ $0.contains(name) }) else { return false }
        _ = remove(named: name, isReported: false)
        return true
    }

    /// Hides all files of the folder, until their names are shown again.
    func hideAll() { hidden { $0.hideAll() } }

    /// Ends the hiding of all names, after all files were removed.
    func showAll() {
        if hasHiddenFiles { hidden { $0 = UnremovableFiles() } }
    }

    /// Ends the hiding of a name, after its file was written or removed.
    func show(_ name: String) {
        if hasHiddenFiles { hidden { $0.show(name) } }
    }

    /// Removes, empties or hides a file (``remove(_:)-(HTTPCacheKey)``).
    /// - Returns: False if the file is hidden now.
    private func remove(named name: String, isReported: Bool = true) -> Bool {
        let file = url.appendingPathComponent(name)
        do {
            // A file of another user is left alone: it is never read.
            if try values(reading: file) != nil { try FileManager.default.removeItem(at: file) }
        } catch let error as CocoaError where error.isOfMissingFile {
            // Another process has removed it.
        } catch {
            guard empty(file) else {
                hidden { $0.hide(name) }
                if isReported { report(DiskCacheError(operation: .remove, underlyingError: error)) }
                return false
            }
        }
        show(name)
        return true
    }

    /// Removes the content of a file. In a folder that is read-only a file may still be writable.
    private func empty(_ file: URL) -> Bool {
        guard let handle = try? FileHandle(forWritingTo: file) else { return false }
        defer { try? handle.close() }
        do {
            try handle.truncate(atOffset: 0)
            return true
        } catch {
            return false
        }
    }

    /// Whether any folder has hidden files. This is checked first, because mostly there are none.
    private var hasHiddenFiles: Bool { hiddenFiles.withLock { !$0.isEmpty } }

    /// Reads or changes the hidden files of this folder.
    private func hidden<Value>(_ body: (inout UnremovableFiles) -> Value) -> Value {
        let path = path
        return hiddenFiles.withLock { folders in
            let value = body(&folders[path, default: UnremovableFiles()])
            if folders[path]?.isEmpty == true { folders[path] = nil }
            return value
        }
    }
}

extension CocoaError {
    /// Whether the error means that there is no such file or folder.
    var isOfMissingFile: Bool { [.fileNoSuchFile, .fileReadNoSuchFile].contains(code) }
}

/// The hidden files, by the path of their folder. The names are kept even without a store, because a store that is made
/// later must not read these files.
private let hiddenFiles = Locked<[String: UnremovableFiles]>([:])
