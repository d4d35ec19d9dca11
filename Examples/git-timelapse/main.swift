import Foundation

OutputChannel.ignoreBrokenPipes()

/// Says why on standard error, in one line; the exit code is then 2.
func fail(_ reason: String) -> TimelapseCommand.ExitCode {
    // Nothing is left to be done where not even this can be written.
    try? OutputChannel.standardError.write("git-timelapse: \(reason)\n")
    return .badInput
}

func runFromCommandLine() -> TimelapseCommand.ExitCode {
    do {
        let arguments = try Arguments(parsing: CommandLine.arguments.dropFirst())
        if arguments.isHelp {
            try OutputChannel.standardOutput.write(Arguments.help)
            return .success
        }
        return try TimelapseCommand(arguments: arguments).run()
    } catch let error as UsageError {
        return fail("\(error); see git-timelapse --help")
    } catch let error as OutputChannel.WriteError where error.isBrokenPipe {
        // Whoever read the output has seen enough.
        return .success
    } catch let error as GitError where error.isInterruption {
        // Ctrl-C reaches git as well, and may reach it first.
        signal(SIGINT, SIG_DFL)
        kill(getpid(), SIGINT)
        return fail("\(error)")
    } catch {
        return fail("\(error)")
    }
}

exit(runFromCommandLine().rawValue)
