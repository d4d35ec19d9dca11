#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Finds the files below a folder. Blocks, so it is called where that holds up nobody.
///
/// Links are shown and not followed; what cannot be read is left out.
struct FileScanner {
    let root: String
    /// How many files are shown at most: the first by path.
    var limit = 1_000_000

    /// Why there is nothing to show.
    struct Fault: Error, CustomStringConvertible {
        let description: String
    }

    /// The files now: one section for each folder that has some, both ordered by the bytes of their paths.
    func state() throws(Fault) -> ListState {
        guard let names = Self.entries(of: root) else {
            throw Fault(description: "\(root) must be a folder that can be read")
        }
        var sections: [(header: ListHeader, rows: [ListRow])] = []
        var room = limit
        var folders = [(path: "", names: names)]
        while let folder = folders.popLast(), room > 0 {
            var rows: [ListRow] = []
            var below: [String] = []
            var bytes = 0
            for name in folder.names.prefix(room) {
                let path = folder.path.isEmpty ? name : "\(folder.path)/\(name)"
                var status = stat()
                guard lstat("\(root)/\(path)", &status) == 0 else { continue }
                let type = status.st_mode & mode_t(S_IFMT)
                if type == S_IFDIR {
                    below.append(path)
                    continue
                }
                let kind: FileRow.Kind =
                    type == S_IFREG ? .regular : type == S_IFLNK ? .link : .other
                let size = Int(status.st_size)
                bytes &+= size
                let file = FileRow(kind: kind, size: size, modified: status.modifiedSeconds)
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
                    total: Units.bytes(max(0, bytes))
                )
                sections.append((header, rows))
            }
            for path in below.reversed() {
                if let names = Self.entries(of: "\(root)/\(path)") { folders.append((path, names)) }
            }
        }
        return ListState(sections.sorted { Self.precedes($0.header.id, $1.header.id) })
    }

    private static func precedes(_ left: String, _ right: String) -> Bool {
        left.utf8.lexicographicallyPrecedes(right.utf8)
    }

    /// The names in a folder, by their bytes; nil where it cannot be read.
    private static func entries(of path: String) -> [String]? {
        guard let folder = opendir(path) else { return nil }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                // A name ends in a zero, within what the entry has.
                pointer.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted(by: precedes)
    }
}

extension stat {
    fileprivate var modifiedSeconds: Int {
        #if canImport(Darwin)
            st_mtimespec.tv_sec
        #else
            st_mtim.tv_sec
        #endif
    }
}
