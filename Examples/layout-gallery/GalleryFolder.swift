import Foundation

/// The folder that the gallery is written to.
struct GalleryFolder {
    let path: String

    /// Makes the folder, and those that it is in.
    init(_ path: String) throws {
        self.path = path
        var parent = path.hasPrefix("/") ? "/" : ""
        for name in path.split(separator: "/") {
            parent += "\(name)/"
            // One that is there already is what was asked for, if it is a folder.
            if mkdir(parent, 0o777) == 0 || (errno == EEXIST && Self.isFolder(parent)) { continue }
            let reason = errno == EEXIST ? ENOTDIR : errno
            throw FramesFault("cannot make '\(path)': \(String(cString: strerror(reason)))")
        }
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        defer { errno = EEXIST }
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
            && isFolder.boolValue
    }

    func path(of name: String) -> String { path.hasSuffix("/") ? path + name : "\(path)/\(name)" }

    /// Writes a file, in place of what is there.
    func write(_ content: String, to name: String) throws {
        let file = path(of: name)
        func fail() -> FramesFault {
            FramesFault("cannot write '\(file)': \(String(cString: strerror(errno)))")
        }
        guard let stream = fopen(file, "we") else { throw fail() }
        var content = content
        let isWritten = content.withUTF8 {
            fwrite($0.baseAddress, 1, $0.count, stream) == $0.count && fflush(stream) == 0
        }
        if !isWritten {
            let fault = fail()
            fclose(stream)
            throw fault
        }
        if fclose(stream) != 0 { throw fail() }
    }
}
