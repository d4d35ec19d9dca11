import Foundation
import ProgramSupport

// If the reader of a pipe exits, such as `head`, the program must not end with a signal.
OutputChannel.ignoreBrokenPipes()

do {
    // The target of the kernel's link to this process is the program.
    let executable = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let command = PipelineSimulate(
        options: try SimulateOptions(CommandLine.arguments.dropFirst()),
        arguments: Array(CommandLine.arguments.dropFirst()),
        supervision: Supervision(executable: executable ?? CommandLine.arguments[0])
    )
    exit(command.run())
} catch {
    OutputChannel.standardError.report("pipeline-simulate: \(error); see --help")
    exit(2)
}
