import Foundation

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
            let reason = errno
            // An existing folder is fine. A path with a trailing slash exists only if it is a
            // folder.
            if access(parent, F_OK) == 0 { continue }
            let sentence = String(cString: strerror(reason == EEXIST ? ENOTDIR : reason))
            throw GalleryFault("cannot make '\(path)': \(sentence)")
        }
    }

    func path(of name: String) -> String { path.hasSuffix("/") ? path + name : "\(path)/\(name)" }

    /// Writes a file, and replaces an existing one.
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
        // Closing writes the buffered rest.
        if fclose(stream) != 0 { throw fail() }
    }
}

/// Reads a file or standard input line by line.
final class LineInput {
    private let stream: UnsafeMutablePointer<FILE>
    private let name: String
    private var buffer: UnsafeMutablePointer<CChar>?
    private var capacity = 0
    private(set) var lineNumber = 0

    /// Opens the file at a path, or standard input if `file` is `nil`.
    init(_ file: String?) throws {
        name = file.map { "'\($0)'" } ?? "standard input"
        let stream = file.map { fopen($0, "re") } ?? fdopen(STDIN_FILENO, "r")
        guard let stream else {
            throw GalleryFault("cannot read \(name): \(String(cString: strerror(errno)))")
        }
        self.stream = stream
    }

    deinit {
        free(buffer)
        fclose(stream)
    }

    /// Returns the next line without its line feed, or `nil` after the last line.
    func next() throws -> [UInt8]? {
        let count = getline(&buffer, &capacity, stream)
        guard count != -1, let buffer else {
            guard ferror(stream) != 0 else { return nil }
            throw GalleryFault("cannot read \(name): \(String(cString: strerror(errno)))")
        }
        lineNumber += 1
        let bytes = UnsafeRawBufferPointer(start: buffer, count: count)
        return bytes.last == 0x0A ? Array(bytes.dropLast()) : Array(bytes)
    }
}

/// Writes a line to standard output.
func standardOutput(_ line: String) -> Bool {
    writeLine(line) { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
}

/// Writes a line to standard error.
func standardError(_ line: String) -> Bool {
    writeLine(line) { write(STDERR_FILENO, $0.baseAddress, $0.count) }
}

/// Writes a whole line. Returns `false` if that failed, with the reason in `errno`.
///
/// - Parameter take: A function like the system's `write`. It writes some of the bytes and returns
///   their number, or -1 with the reason in `errno`.
func writeLine(_ line: String, to take: (UnsafeRawBufferPointer) -> Int) -> Bool {
    let bytes = Array((line + "\n").utf8)
    var rest = bytes[...]
    while !rest.isEmpty {
        let count = rest.withUnsafeBytes(take)
        if count >= 0 {
            rest = rest.dropFirst(count)
        } else if errno != EINTR {
            return false
        }
    }
    return true
}
