#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Files and folders of this machine, as they are read where nothing waits.
///
/// A file that is not there, or must not be read, is `nil`. If the process or the machine has no descriptor or memory
/// left, nothing is known of the file, and that is an error.
enum SystemFiles {
    /// The reason why nothing is known of a file, or there is nothing to show.
    struct Fault: Error, CustomStringConvertible {
        let description: String
    }

    private static func check(_ path: String, _ code: Int32) throws(Fault) {
        guard [EMFILE, ENFILE, ENOMEM].contains(code) else { return }
        let reason = String(cString: strerror(code))
        throw Fault(description: "\(path) could not be read: \(reason)")
    }

    /// Returns the bytes of a file.
    static func contents(of path: String) throws(Fault) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            try check(path, errno)
            return nil
        }
        defer { close(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(file, &chunk, chunk.count)
            if count > 0 {
                bytes += chunk[..<count]
            } else if count == 0 {
                return bytes
            } else if errno != EINTR {
                try check(path, errno)
                return nil
            }
        }
    }

    /// Returns the names in a folder, in no particular order.
    static func entries(of path: String) throws(Fault) -> [String]? {
        guard let folder = opendir(path) else {
            try check(path, errno)
            return nil
        }
        defer { closedir(folder) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(folder) else {
                let code = errno
                try check(path, code)
                return code == 0 ? names : nil
            }
            let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) {
                    String(cString: $0)
                }
            }
            if name != ".", name != ".." { names.append(name) }
        }
    }

    /// Returns the name of a user, or the number if there is no name.
    static func name(of user: uid_t) throws(Fault) -> String {
        var (entry, found) = (passwd(), UnsafeMutablePointer<passwd>?.none)
        var buffer = [CChar](repeating: 0, count: 4096)
        let code = getpwuid_r(user, &entry, &buffer, buffer.count, &found)
        try check("the name of user \(user)", code)
        return code == 0 && found != nil ? String(cString: entry.pw_name) : "\(user)"
    }
}
