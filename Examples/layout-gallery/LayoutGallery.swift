import Foundation

/// The program. It draws layouts, or reads collections and prints their frames.
struct LayoutGallery {
    /// The exit codes of the program.
    enum ExitCode: Int32 {
        case success = 0
        /// Invalid usage, or input or output that failed.
        case badInput = 2
    }

    /// Writes a whole line immediately. Returns `false` if that failed, with the reason in `errno`.
    typealias Writer = (_ line: String) -> Bool

    /// Runs the program with the arguments after its name.
    nonisolated(nonsending) static func run(
        arguments: [String],
        output: Writer,
        errors: Writer
    ) async -> ExitCode {
        do {
            switch try GalleryOptions(arguments) {
            case .help: try write(GalleryOptions.helpText, to: output)
            case .gallery(let folder): try await drawGallery(into: folder, to: output)
            case .frames(let file): try printFrames(of: file, to: output)
            }
            return .success
        } catch GalleryFault.closedPipe {
            return .success
        } catch {
            _ = errors("layout-gallery: \(error)")
            return .badInput
        }
    }

    nonisolated(nonsending) private static func drawGallery(
        into path: String,
        to output: Writer
    ) async throws {
        let files = try await Gallery.files()
        let folder = try GalleryFolder(path)
        for file in files { try folder.write(file.content, to: file.name) }
        try write(
            "\(files.count - 1) pictures in \(path); open \(folder.path(of: files[0].name))",
            to: output
        )
    }

    private static func printFrames(of file: String?, to output: Writer) throws {
        let input = try LineInput(file)
        while let line = try input.next() {
            if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { continue }
            let request: FramesRequest
            do {
                request = try FramesRequest(line)
            } catch {
                throw GalleryFault("line \(input.lineNumber): \(error)")
            }
            guard let answer = FramesResponse(request).json else {
                throw GalleryFault("line \(input.lineNumber): the content is too large for numbers")
            }
            // Written immediately, because the other process may wait for this line before it
            // writes the next.
            try write(answer, to: output)
        }
    }

    private static func write(_ line: String, to output: Writer) throws {
        if output(line) { return }
        if errno == EPIPE { throw GalleryFault.closedPipe }
        throw GalleryFault("cannot write: \(String(cString: strerror(errno)))")
    }
}

/// The reason why the program ends early.
struct GalleryFault: Error, Equatable, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }

    /// The reader of the output has closed the pipe.
    static let closedPipe = GalleryFault("closed pipe")

    static func ~= (pattern: GalleryFault, error: any Error) -> Bool {
        error as? GalleryFault == pattern
    }
}
