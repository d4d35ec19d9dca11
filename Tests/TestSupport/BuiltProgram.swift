import Foundation

/// A program of this package, as it was built beside the tests, or one of the machine.
package struct BuiltProgram: Sendable {
    private let url: URL

    /// What a run came to.
    package typealias Result = (code: Int32, output: String, errors: String)

    /// A program of the machine.
    package init(_ url: URL) { self.url = url }

    /// nil where the program is not beside the tests.
    package init?(_ name: String) {
        url = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent(name)
        guard FileManager.default.isExecutableFile(atPath: url.path) else { return nil }
    }

    /// A process that is still to be started, with nothing to read.
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
    ///   - input: what it reads; short, since it is written before anything is read.
    ///   - environment: what its environment has in place of, or besides, that of the tests.
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

    /// Runs the program to its end with an output that nobody reads at all, as `| head -0` has it.
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
