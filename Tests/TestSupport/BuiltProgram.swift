import Foundation

/// A program of this package, built next to the tests, or a program of the machine.
package struct BuiltProgram: Sendable {
    private let url: URL

    /// The exit code and the output of a run.
    package typealias Result = (code: Int32, output: String, errors: String)

    /// Makes a program from its location on the machine.
    package init(_ url: URL) { self.url = url }

    /// Returns `nil` if no such program was built next to the tests.
    package init?(_ name: String) {
        url = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent(name)
        guard FileManager.default.isExecutableFile(atPath: url.path) else { return nil }
    }

    /// Returns a process that is not started yet and has an empty input.
    package func makeProcess(_ arguments: [String], in folder: URL? = nil) -> Process {
        let process = Process()
        process.executableURL = url
        process.arguments = arguments
        if let folder { process.currentDirectoryURL = folder }
        process.standardInput = FileHandle.nullDevice
        return process
    }

    /// Runs the program to its end.
    ///
    /// - Parameters:
    /// - input: the standard input; short, since it is written before any output is read.
    /// - environment: variables that replace or extend the tests' environment.
    package func run(
        _ arguments: [String],
        in folder: URL? = nil,
        input: String? = nil,
        environment: [String: String] = [:]
    ) throws -> Result {
        let process = makeProcess(arguments, in: folder)
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let (output, errors, read) = (Pipe(), Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        if input != nil { process.standardInput = read }
        try process.run()
        if let input {
            read.fileHandleForWriting.write(Data(input.utf8))
            try read.fileHandleForWriting.close()
        }
        let written = output.fileHandleForReading.readDataToEndOfFile()
        let complaints = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (
            process.terminationStatus, String(decoding: written, as: UTF8.self),
            String(decoding: complaints, as: UTF8.self)
        )
    }

    /// Runs the program to its end with a closed output pipe, as in `| head -0`.
    package func runUnread(_ arguments: [String]) throws -> Process {
        let process = makeProcess(arguments)
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try output.fileHandleForReading.close()
        try process.run()
        try output.fileHandleForWriting.close()
        process.waitUntilExit()
        return process
    }
}
