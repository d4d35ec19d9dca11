import Foundation
import ProgramSupport

// If the reader of a pipe exits, such as `head`, the program must not end with a signal.
OutputChannel.ignoreBrokenPipes()

do {
    let command = PipelineSimulate(
        options: try SimulateOptions(CommandLine.arguments.dropFirst()),
        arguments: Array(CommandLine.arguments.dropFirst()),
        supervision: Supervision(executable: "/proc/self/exe".resolved)
    )
    exit(command.run())
} catch {
    OutputChannel.standardError.report("pipeline-simulate: \(error); see --help")
    exit(2)
}

extension String {
    /// The target of a symbolic link. For the kernel's link to this process, it is the program.
    fileprivate var resolved: String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: self))
            ?? CommandLine.arguments[0]
    }
}
