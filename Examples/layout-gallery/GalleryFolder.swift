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
            mkdir(parent, 0o777)
            let reason = errno
            // One that was there before is what was asked for, if it is a folder: only that has a name with
            // a slash behind it.
            if access(parent, F_OK) == 0 { continue }
            let sentence = String(cString: strerror(reason == EEXIST ? ENOTDIR : reason))
            throw GalleryFault("cannot make '\(path)': \(sentence)")
        }
    }

    func path(of name: String) -> String { path.hasSuffix("/") ? path + name : "\(path)/\(name)" }

    /// Writes a file, in place of what is there.
    func write(_ content: String, to name: String) throws {
        let file = path(of: name)
        func fail() -> GalleryFault {
            GalleryFault("cannot write '\(file)': \(String(cString: strerror(errno)))")
        }
        guard let stream = fopen(file, "we") else { throw fail() }
        var content = content
        let isWritten = content.withUTF8 {
            fwrite($0.baseAddress, 1, $0.count, stream) == $0.count
        }
        if !isWritten {
            let fault = fail()
            fclose(stream)
            throw fault
        }
        // What was not written before is written now.
        if fclose(stream) != 0 { throw fail() }
    }
}
