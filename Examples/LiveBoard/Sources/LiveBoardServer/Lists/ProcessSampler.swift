import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Reads which processes there are. Blocks, so it is called where that holds up nobody.
struct ProcessSampler {
    private var users: [uid_t: String] = [:]

    static var ticksPerSecond: Double { Double(max(1, sysconf(Int32(_SC_CLK_TCK)))) }

    /// The processes now, in no order that means anything.
    mutating func sample() throws -> [ProcessSample] {
        #if os(Linux)
            if let names = try? FileManager.default.contentsOfDirectory(atPath: "/proc") {
                return names.compactMap { Int($0) }.compactMap { sample($0) }
            }
        #endif
        return try Self.askingPS()
    }

    /// Nil where the process has ended meanwhile.
    private mutating func sample(_ id: Int) -> ProcessSample? {
        let folder = "/proc/\(id)"
        guard let line = Self.bytes(of: "\(folder)/stat", atMost: 4096) else { return nil }
        var status = stat()
        guard lstat(folder, &status) == 0 else { return nil }
        return ProcessSample(
            stat: line,
            command: Self.bytes(of: "\(folder)/cmdline", atMost: 1024) ?? [],
            user: name(of: status.st_uid),
            pageSize: Int(getpagesize())
        )
    }

    /// The user's name, or the number where there is none.
    private mutating func name(of user: uid_t) -> String {
        if let name = users[user] { return name }
        var (entry, found) = (passwd(), UnsafeMutablePointer<passwd>?.none)
        var buffer = [CChar](repeating: 0, count: 4096)
        let isFound = getpwuid_r(user, &entry, &buffer, buffer.count, &found) == 0 && found != nil
        let name = isFound ? String(cString: entry.pw_name) : "\(user)"
        users[user] = name
        return name
    }

    private static func bytes(of path: String, atMost limit: Int) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var isRead = false
        let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            let length = read(file, buffer.baseAddress, limit)
            isRead = length >= 0
            count = max(0, length)
        }
        return isRead ? bytes : nil
    }

    /// Where there is no `/proc`.
    static func askingPS() throws -> [ProcessSample] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/ps")
        process.arguments = ["-axo", "pid=,user=,state=,pcpu=,rss=,comm="]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: text, as: UTF8.self).split(separator: "\n")
            .compactMap { ProcessSample(line: $0) }
    }
}
