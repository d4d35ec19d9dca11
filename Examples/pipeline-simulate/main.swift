import Foundation

// A reader that goes away, such as `head`, is no reason to end by a signal.
signal(SIGPIPE, SIG_IGN)

do {
    let options = try SimulateOptions(CommandLine.arguments.dropFirst())
    // How far a long run is, on one line of a terminal; nothing elsewhere.
    let progress: ((String) -> Void)? =
        isatty(STDERR_FILENO) == 1
        ? { FileHandle.standardError.write(Data("\r\u{1B}[K\($0)".utf8)) } : nil
    let command = PipelineSimulate(
        options: options,
        arguments: Array(CommandLine.arguments.dropFirst()),
        supervision: Supervision(executable: "/proc/self/exe".resolved),
        progress: progress
    )
    exit(command.run())
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
