import CollectionPublishing
import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// What a row shows of a file. The path of the file is the row's name.
struct FileRow: Equatable, Sendable {
    enum Kind: String, Sendable {
        case regular, link, other
    }

    let kind: Kind
    let size: Int
    /// In seconds since 1970, in UTC.
    let modified: Int

    func html(id: String) -> HTML {
        let name = id.split(separator: "/").last ?? id[...]
        // Within the years that have four digits.
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

    /// Such as `12 B` or `1.2 MB`: powers of 1,000, at most three digits.
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

/// Finds the files below a folder. It blocks, so it runs where nothing waits for it.
///
/// It shows links and does not follow them, and leaves out what it cannot read.
struct FileScanner {
    let root: String
    /// The maximum number of files.
    var limit = 1_000_000

    /// Returns one section for each folder that has files. Sections and rows are ordered by the bytes of their paths.
    func state() throws(SystemFiles.Fault) -> ListState {
        guard let names = try Self.entries(of: root) else {
            throw SystemFiles.Fault(description: "\(root) must be a folder that can be read")
        }
        var sections: [(header: ListHeader, rows: [ListRow])] = []
        var room = limit
        var folders = [(path: "", names: names)]
        while let folder = folders.popLast(), room > 0 {
            var (rows, below, bytes): ([ListRow], [String], Int) = ([], [], 0)
            for name in folder.names.prefix(room) {
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
                room -= rows.count
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
        return ListState(sections.sorted { Self.precedes($0.header.id, $1.header.id) })
    }

    private static func precedes(_ left: String, _ right: String) -> Bool {
        left.utf8.lexicographicallyPrecedes(right.utf8)
    }

    /// The names in a folder, ordered by their bytes; `nil` if the folder cannot be read.
    private static func entries(of path: String) throws(SystemFiles.Fault) -> [String]? {
        try SystemFiles.entries(of: path)?.sorted(by: precedes)
    }
}
