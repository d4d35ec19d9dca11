#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A journal storage that keeps its bytes in a file.
///
/// The file is locked while it is open, so that no two processes, and no two storages in one
/// process, write to it. A replacement is written to a file in the same directory with the same
/// name and the suffix `.new`, synced and renamed; it gets the permissions of the previous file.
/// Symbolic links are not followed, because a rename would replace the link itself.
///
/// Threading: like every ``JournalStorage``, it must be used by one caller at a time; every call
/// blocks.
public final class FileJournalStorage: JournalStorage {
    /// The absolute path of the file.
    public let path: String

    private var descriptor: Int32
    private var size: Int
    /// Whether the system may have dropped data that it could not write. It would not report the
    /// loss again.
    private var mayHaveLostWrites = false

    /// Opens a file, or creates an empty one. Its owner can write it and everyone can read it, as
    /// far as the process's file mode creation mask allows.
    ///
    /// - Parameter path: The file, whose directory must exist; a relative path starts from the
    ///   current working directory.
    /// - Throws: `inUse` if the file is already open elsewhere; `storage` with the system's error,
    ///   or if the path does not name a regular file.
    public init(path: String) throws(JournalError) {
        let path = Self.absolute(path)
        let (descriptor, size) = try Self.open(path)
        self.path = path
        self.descriptor = descriptor
        self.size = size
        // Creates the name of the file as durable as its later contents.
        try Self.syncDirectory(of: path)
    }

    deinit {
        // A process that is being started holds a copy of the descriptor until it executes its
        // program. Closing only this descriptor would leave the file locked until then.
        _ = flock(descriptor, LOCK_UN)
        _ = close(descriptor)
    }

    /// Returns the number of bytes in the file.
    public func byteCount() -> Int { size }

    /// Returns the bytes in `range`.
    public func read(_ range: Range<Int>) throws(JournalError) -> [UInt8] {
        guard range.lowerBound >= 0, range.upperBound <= size else {
            throw JournalError(
                .storage,
                "bytes \(range) must be within 0..<\(size), but are not",
                path: path
            )
        }
        var done = 0
        var fault: JournalError?
        let bytes = [UInt8](filling: range.count) { buffer, count in
            while done < range.count {
                let rest = UnsafeMutableRawBufferPointer(buffer)[done..<range.count]
                let start = UnsafeMutableRawBufferPointer(rebasing: rest).baseAddress
                let part = pread(descriptor, start, rest.count, range.lowerBound + done)
                if part < 0, errno == EINTR { continue }
                if part < 0 { fault = Self.error("read", path) }
                if part <= 0 { break }
                done += part
            }
            count = done
        }
        if let fault { throw fault }
        guard done == range.count else {
            throw JournalError(.storage, "\(path) became shorter than \(size) bytes", path: path)
        }
        return bytes
    }

    /// Appends bytes at the end.
    public func append(_ bytes: [UInt8]) throws(JournalError) {
        try Self.write(bytes, to: descriptor, at: size, path)
        size += bytes.count
    }

    /// Removes all bytes after the first `byteCount`.
    public func truncate(to byteCount: Int) throws(JournalError) {
        // Always truncates the file, because a failed write may have left bytes that are not
        // counted.
        while ftruncate(descriptor, byteCount) != 0 {
            if errno != EINTR { throw Self.error("truncate", path) }
        }
        size = byteCount
    }

    /// Replaces all bytes, by writing a new file and renaming it.
    public func replaceAll(with bytes: [UInt8]) throws(JournalError) {
        let newPath = path + ".new"
        // A crash may have left this file. No other storage writes it while the file is locked.
        _ = unlink(newPath)
        let (newDescriptor, _) = try Self.open(newPath, isNew: true)
        do throws(JournalError) {
            try copyPermissions(to: newDescriptor, newPath)
            try Self.write(bytes, to: newDescriptor, at: 0, newPath)
            try Self.sync(newDescriptor, newPath)
            guard rename(newPath, path) == 0 else { throw Self.error("rename", newPath) }
        } catch {
            _ = close(newDescriptor)
            _ = unlink(newPath)
            throw error
        }
        _ = close(descriptor)
        descriptor = newDescriptor
        size = bytes.count
        mayHaveLostWrites = false
        try Self.syncDirectory(of: path)
    }

    private func copyPermissions(to other: Int32, _ path: String) throws(JournalError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, fchmod(other, status.st_mode & 0o7777) == 0 else {
            throw Self.error("set the permissions of", path)
        }
        // Only a privileged process can keep another owner; otherwise the failure is ignored.
        _ = fchown(other, status.st_uid, status.st_gid)
    }

    /// Waits until the contents of the file will survive a loss of power. After an error the next
    /// call writes the whole file again, because the system does not report twice that it has
    /// dropped data.
    public func sync() throws(JournalError) {
        if mayHaveLostWrites { return try replaceAll(with: try read(0..<size)) }
        do {
            try Self.sync(descriptor, path)
        } catch {
            mayHaveLostWrites = true
            throw error
        }
    }
}

// MARK: - System calls

extension FileJournalStorage {
    /// Returns an absolute path, which names the same file if the working directory changes.
    private static func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/"), let directory = getcwd(nil, 0) else { return path }
        defer { free(directory) }
        return String(cString: directory) + "/" + path
    }

    private static func open(
        _ path: String,
        isNew: Bool = false
    ) throws(JournalError) -> (Int32, size: Int) {
        // `O_NONBLOCK` keeps the call from waiting for a pipe, which is rejected below.
        var flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        if isNew { flags |= O_EXCL }
        while true {
            #if canImport(Glibc)
                let descriptor = Glibc.open(path, flags, 0o644)
            #else
                let descriptor = Musl.open(path, flags, 0o644)
            #endif
            if descriptor < 0 {
                if errno == EINTR { continue }
                throw error("open", path)
            }
            if flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
                let isInUse = errno == EWOULDBLOCK
                let fault = error("lock", path, isInUse ? .inUse : .storage)
                _ = close(descriptor)
                throw fault
            }
            var (opened, named) = (stat(), stat())
            if fstat(descriptor, &opened) != 0 {
                let fault = error("examine", path)
                _ = close(descriptor)
                throw fault
            }
            guard opened.st_mode & S_IFMT == S_IFREG else {
                _ = close(descriptor)
                throw JournalError(.storage, "\(path) must be a regular file", path: path)
            }
            // The previous holder of the lock may have renamed another file to this name.
            if lstat(path, &named) == 0, named.st_ino == opened.st_ino,
                named.st_dev == opened.st_dev
            {
                return (descriptor, Int(opened.st_size))
            }
            _ = close(descriptor)
        }
    }

    private static func write(
        _ bytes: [UInt8],
        to descriptor: Int32,
        at offset: Int,
        _ path: String
    ) throws(JournalError) {
        var done = 0
        while done < bytes.count {
            let part = bytes.withUnsafeBytes {
                pwrite(descriptor, $0.baseAddress! + done, bytes.count - done, offset + done)
            }
            if part < 0 {
                if errno == EINTR { continue }
                throw error("write", path)
            }
            done += part
        }
    }

    private static func sync(_ descriptor: Int32, _ path: String) throws(JournalError) {
        // The call is not repeated after an error, because a second call would not report it.
        while fsync(descriptor) != 0 {
            if errno != EINTR { throw error("sync", path) }
        }
    }

    private static func syncDirectory(of path: String) throws(JournalError) {
        var directory = "."
        if let slash = path.lastIndex(of: "/") {
            directory = slash == path.startIndex ? "/" : String(path[..<slash])
        }
        #if canImport(Glibc)
            let descriptor = Glibc.open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        #else
            let descriptor = Musl.open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        #endif
        guard descriptor >= 0 else { throw error("open", directory) }
        defer { _ = close(descriptor) }
        try sync(descriptor, directory)
    }

    private static func error(
        _ action: String,
        _ path: String,
        _ code: JournalError.Code = .storage
    ) -> JournalError {
        let number = errno
        return JournalError(
            code,
            "cannot \(action) \(path): \(String(cString: strerror(number)))",
            systemError: number,
            path: path
        )
    }
}
