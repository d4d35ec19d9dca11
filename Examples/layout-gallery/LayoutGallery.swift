import ProgramSupport

/// The program. It draws layouts, or reads collections and prints their frames.
struct LayoutGallery {
    private static let output = OutputChannel.standardOutput

    /// Runs the program with the arguments after its name.
    nonisolated(nonsending) static func run(_ arguments: [String]) async -> ExitCode {
        do {
            switch try GalleryOptions(arguments) {
            case .help: try output.write(GalleryOptions.helpText + "\n")
            case .gallery(let folder): try await drawGallery(into: folder)
            case .frames(let file): try printFrames(of: file)
            }
            return .success
        } catch let error as SystemError {
            // The reader of the output may have closed the pipe.
            if error.isBrokenPipe { return .success }
            report("cannot write: \(error)")
        } catch let error as UsageError {
            report("\(error); see --help")
        } catch {
            report("\(error)")
        }
        return .badInput
    }

    private static func report(_ message: String) {
        OutputChannel.standardError.report("layout-gallery: \(message)")
    }

    nonisolated(nonsending) private static func drawGallery(into path: String) async throws {
        let files = try await Gallery.files()
        let folder = try GalleryFolder(path)
        for file in files { try folder.write(file.content, to: file.name) }
        let page = folder.path(of: files[0].name)
        try output.write("\(files.count - 1) pictures in \(path); open \(page)\n")
    }

    private static func printFrames(of file: String) throws {
        let input = try LineInput(file)
        while let line = try input.next() {
            if isBlank(line) { continue }
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
            try output.write(answer + "\n")
        }
    }
}

/// The reason why the program ends early.
struct GalleryFault: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
