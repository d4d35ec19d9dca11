import Foundation
import ProgramSupport

/// The output folder of the gallery.
struct GalleryFolder {
    let path: String

    /// Creates the folder and its parents.
    init(_ path: String) throws {
        self.path = path
        var parent = path.hasPrefix("/") ? "/" : ""
        for name in path.split(separator: "/") {
            parent += "\(name)/"
            mkdir(parent, 0o777)
            let reason = SystemError.latest
            // An existing folder is fine. A path with a trailing slash exists only if it is a
            // folder.
            if access(parent, F_OK) == 0 { continue }
            let fault = reason.number == EEXIST ? SystemError(number: ENOTDIR) : reason
            throw GalleryFault("cannot make '\(path)': \(fault)")
        }
    }

    func path(of name: String) -> String { path.hasSuffix("/") ? path + name : "\(path)/\(name)" }

    /// Writes a file, and replaces an existing one.
    func write(_ content: String, to name: String) throws {
        let file = path(of: name)
        do {
            let channel = try OutputChannel(creating: file)
            defer { channel.close() }
            try channel.write(content)
        } catch {
            throw GalleryFault("cannot write '\(file)': \(error)")
        }
    }
}
