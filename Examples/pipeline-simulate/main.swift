import Foundation

// If the reader of a pipe exits, such as `head`, the program must not end with a signal.
signal(SIGPIPE, SIG_IGN)

do {
    let options = try SimulateOptions(CommandLine.arguments.dropFirst())
    // Shows the progress of a long run on one line of a terminal, and nothing elsewhere.
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
    /// The target of a symbolic link. For the kernel's link to this process, it is the program.
    fileprivate var resolved: String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: self))
            ?? CommandLine.arguments[0]
    }
}
