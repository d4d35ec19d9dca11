import CollectionPublishing
import Foundation

/// The details of a file that a row shows. The name of the row is the file's path.
struct FileRow: Equatable, Sendable {
    enum Kind: String, Sendable {
        case regular, link, other
    }

    let kind: Kind
    let size: Int
    /// The modification time in seconds since 1970, in UTC.
    let modified: Int

    func html(id: String) -> HTML {
        let name = id.split(separator: "/").last ?? id[...]
        // ISO 8601 dates have years of four digits.
        let seconds = min(max(modified, -62_135_596_800), 253_402_300_799)
        let exact = Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
        return """
            <div class="row file \(kind.rawValue)" data-id="\(id)">\
            \(HTML.span("name", String(name)))\
            \(HTML.span("size", Self.bytes(size)))\
            <time class="modified" datetime="\(exact)">\
            \(exact.prefix(16).replacing("T", with: " "))</time></div>
            """
    }

    /// Returns a size such as `12 B` or `1.2 MB`, with at most three digits below 1,000 PB.
    static func bytes(_ count: Int) -> String {
        guard count >= 1000 else { return "\(max(0, count)) B" }
        var value = Double(count)
        for unit in ["kB", "MB", "GB", "TB", "PB"] {
            value /= 1000
            if value < 9.95 { return "\(ProcessRow.tenths(Int((value * 10).rounded()))) \(unit)" }
            if value < 999.5 || unit == "PB" { return "\(Int(value.rounded())) \(unit)" }
        }
        return ""
    }
}

/// A scanner of the files below a folder. It blocks, so run it in `BlockingWork`.
///
/// It lists symbolic links without following them, and omits everything that it cannot read.
struct FileScanner {
    let root: String
    /// The maximum number of files.
    var limit = 1_000_000

    /// Returns a section for each folder that contains files, in byte order of the paths.
    func state() throws(SystemFiles.Fault) -> ListState {
        guard let names = try Self.entries(of: root) else {
            throw SystemFiles.Fault(description: "expected a readable folder at \(root)")
        }
        var sections: [(ListHeader, [ListRow])] = []
        var remaining = limit
        var folders = [(path: "", names: names)]
        while let folder = folders.popLast(), remaining > 0 {
            var (rows, below, bytes): ([ListRow], [String], Int) = ([], [], 0)
            for name in folder.names.prefix(remaining) {
                let path = folder.path.isEmpty ? name : "\(folder.path)/\(name)"
                var status = stat()
                guard lstat("\(root)/\(path)", &status) == 0 else { continue }
                let type = status.st_mode & mode_t(S_IFMT)
                if type == S_IFDIR {
                    below.append(path)
                    continue
                }
                let size = Int(status.st_size)
                bytes &+= size
                let file = FileRow(
                    kind: type == S_IFREG ? .regular : type == S_IFLNK ? .link : .other,
                    size: size,
                    modified: status.st_mtim.tv_sec
                )
                rows.append(ListRow(id: path, content: .file(file)))
            }
            if !rows.isEmpty {
                remaining -= rows.count
                let title = folder.path.isEmpty ? "." : folder.path
                let header = ListHeader(
                    list: "files",
                    id: title,
                    title: title,
                    count: rows.count,
                    total: FileRow.bytes(bytes)
                )
                sections.append((header, rows))
            }
            for path in below.reversed() {
                if let names = try Self.entries(of: "\(root)/\(path)") {
                    folders.append((path, names))
                }
            }
        }
        return ListState(sections.sorted { Self.precedes($0.0.id, $1.0.id) })
    }

    private static func precedes(_ left: String, _ right: String) -> Bool {
        left.utf8.lexicographicallyPrecedes(right.utf8)
    }

    /// Returns the names in a folder in byte order, or `nil` if the folder cannot be read.
    private static func entries(of path: String) throws(SystemFiles.Fault) -> [String]? {
        try SystemFiles.entries(of: path)?.sorted(by: precedes)
    }
}

/// Blocking functions that read files and folders of this machine.
///
/// A missing or unreadable file is `nil`. An error means that no descriptors or memory are left.
enum SystemFiles {
    /// The reason why the state of a file is unknown, or why a list cannot be loaded.
    struct Fault: Error, CustomStringConvertible {
        let description: String
    }

    /// Returns the bytes of a file.
    static func contents(of path: String) throws(Fault) -> [UInt8]? {
        try read(path) { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }
    }

    /// Returns the names in a folder, in no particular order.
    static func entries(of path: String) throws(Fault) -> [String]? {
        try read(path) { try FileManager.default.contentsOfDirectory(atPath: path) }
    }

    private static func read<Value>(
        _ path: String,
        _ body: () throws -> Value
    ) throws(Fault) -> Value? {
        do {
            return try body()
        } catch {
            let reason = (error as? CocoaError)?.underlying as? POSIXError
            try check(path, reason?.code.rawValue ?? 0)
            return nil
        }
    }

    private static func check(_ path: String, _ code: Int32) throws(Fault) {
        guard [EMFILE, ENFILE, ENOMEM].contains(code) else { return }
        let reason = String(cString: strerror(code))
        throw Fault(description: "\(path) could not be read: \(reason)")
    }

    /// Returns the name of a user, or the user's number if there is no name.
    static func name(of user: uid_t) throws(Fault) -> String {
        var (entry, found) = (passwd(), UnsafeMutablePointer<passwd>?.none)
        var buffer = [CChar](repeating: 0, count: 4096)
        let code = getpwuid_r(user, &entry, &buffer, buffer.count, &found)
        try check("the name of user \(user)", code)
        return code == 0 && found != nil ? String(cString: entry.pw_name) : "\(user)"
    }
}
