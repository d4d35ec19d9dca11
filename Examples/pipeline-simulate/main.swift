import Foundation

// A reader that goes away, such as `head`, is no reason to end by a signal.
signal(SIGPIPE, SIG_IGN)

do {
    let options = try SimulateOptions(CommandLine.arguments.dropFirst())
    exit(PipelineSimulate(options: options, executable: "/proc/self/exe".resolved).run())
} catch {
    FileHandle.standardError.write(
        Data("pipeline-simulate: \(error.message); see --help\n".utf8)
    )
    exit(2)
}

extension String {
    /// Where a link leads; the program itself, for the kernel's link to it.
    fileprivate var resolved: String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: self))
            ?? CommandLine.arguments[0]
    }
}
