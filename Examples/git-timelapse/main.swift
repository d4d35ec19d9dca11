import Foundation

OutputChannel.ignoreBrokenPipes()

/// Reports the reason on one line of standard error, and returns exit code 2.
func fail(_ reason: String) -> TimelapseCommand.ExitCode {
    // If even this cannot be written, nothing is left to try.
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
        // The reader of the output has closed the pipe.
        return .success
    } catch let error as GitError where error.isInterruption {
        // Ctrl-C reaches git too, and may reach it first.
        signal(SIGINT, SIG_DFL)
        kill(getpid(), SIGINT)
        return fail("\(error)")
    } catch {
        return fail("\(error)")
    }
}

exit(runFromCommandLine().rawValue)
