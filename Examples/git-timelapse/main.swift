import Foundation
import ProgramSupport

OutputChannel.ignoreBrokenPipes()

/// Reports the reason on one line of standard error, and returns exit code 2.
func fail(_ reason: String) -> ExitCode {
    OutputChannel.standardError.report("git-timelapse: \(reason)")
    return .badInput
}

func runFromCommandLine() -> ExitCode {
    do {
        let arguments = try Arguments(parsing: CommandLine.arguments.dropFirst())
        if arguments.isHelp {
            try OutputChannel.standardOutput.write(Arguments.help)
            return .success
        }
        return try TimelapseCommand(arguments: arguments).run()
    } catch let error as UsageError {
        return fail("\(error); see git-timelapse --help")
    } catch let error as SystemError {
        return error.isBrokenPipe ? .success : fail("cannot write: \(error)")
    } catch let error as GitError where error.code == .gitInterrupted(signal: SIGINT) {
        // Ctrl-C reaches git too, and may reach it first.
        endProcess(by: SIGINT)
    } catch {
        return fail("\(error)")
    }
}

exit(runFromCommandLine().rawValue)
