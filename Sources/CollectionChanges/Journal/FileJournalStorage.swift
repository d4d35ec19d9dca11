#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A journal's bytes in a file.
///
/// The file is locked while it is open, so that no two processes, and no two storages of one, write it. What
/// replaces it is written beside it, as a file of the same name with `.new` after it, synced, and renamed; it has the
/// permissions of the one before. Symbolic links are not followed, since they could not be replaced so.
///
/// Threading: like every ``JournalStorage``, used in one place at a time; every call blocks.
public final class FileJournalStorage: JournalStorage {
    /// The path of the file, from the root on.
    public let path: String

    private var descriptor: Int32
    private var size: Int
    /// Whether the system may have dropped what it could not write, and would not say so again.
    private var isSuspect = false

    /// Opens a file, or makes an empty one that its owner may write and everyone may read, as far as the process's mask
    /// allows.
    ///
    /// - Parameter path: the file; its directory must exist. From the working directory of now where it is relative.
    /// - Throws: `inUse` where another has it open; `storage` with the system's error, or where it is no file.
    public init(path: String) throws(JournalError) {
        let path = Self.absolute(path)
        let (descriptor, size) = try Self.open(path)
        self.path = path
        self.descriptor = descriptor
        self.size = size
        // So that the name is as durable as what will be written.
        try Self.syncDirectory(of: path)
    }

    deinit {
        // A process that is being started holds a copy of the descriptor until it runs its program. Closing ours alone
        // would leave the file locked until then.
        _ = flock(descriptor, LOCK_UN)
        _ = close(descriptor)
    }

    /// How many bytes there are.
    public func byteCount() -> Int { size }

    /// The bytes of `range`.
    public func read(_ range: Range<Int>) throws(JournalError) -> [UInt8] {
        guard range.lowerBound >= 0, range.upperBound <= size else {
            throw JournalError(
                .storage,
                "bytes \(range) must be among \(size), but are not",
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

    /// Adds bytes at the end.
    public func append(_ bytes: [UInt8]) throws(JournalError) {
        try Self.write(bytes, to: descriptor, at: size, path)
        size += bytes.count
    }

    /// Drops all but the first `byteCount` bytes.
    public func truncate(to byteCount: Int) throws(JournalError) {
        // Also where no byte is known to be there: a write that failed may have left some.
        while ftruncate(descriptor, byteCount) != 0 {
            if errno != EINTR { throw Self.error("truncate", path) }
        }
        size = byteCount
    }

    /// Puts other bytes in place of all, by a file that takes the name.
    public func replaceAll(with bytes: [UInt8]) throws(JournalError) {
        let newPath = path + ".new"
        // Left by a crash: nobody else writes it while the file is locked.
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
        isSuspect = false
        try Self.syncDirectory(of: path)
    }

    private func copyPermissions(to other: Int32, _ path: String) throws(JournalError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, fchmod(other, status.st_mode & 0o7777) == 0 else {
            throw Self.error("set the permissions of", path)
        }
        // Only a superuser's journal has an owner to be kept.
        _ = fchown(other, status.st_uid, status.st_gid)
    }

    /// Returns when the file will survive the loss of power. After an error the next call writes all of it anew, since
    /// the system does not say twice what it has dropped.
    public func sync() throws(JournalError) {
        if isSuspect { return try replaceAll(with: try read(0..<size)) }
        do {
            try Self.sync(descriptor, path)
        } catch {
            isSuspect = true
            throw error
        }
    }
}

// MARK: - System calls

extension FileJournalStorage {
    /// So that it means the same file when the working directory is another.
    private static func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/"), let directory = getcwd(nil, 0) else { return path }
        defer { free(directory) }
        return String(cString: directory) + "/" + path
    }

    private static func open(
        _ path: String,
        isNew: Bool = false
    ) throws(JournalError) -> (Int32, size: Int) {
        // A pipe is not waited for: it is found to be one.
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
                throw JournalError(.storage, "\(path) must be a file, but is none", path: path)
            }
            // Whoever had the lock until now may have given the name to another file.
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
        // Not again after an error: the second call would not know of it.
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
