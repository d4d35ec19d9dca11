@testable import changeset_lint

/// One run of the program in memory.
struct LintRun {
    let exitCode: ChangesetLint.ExitCode
    let output: [String]
    let errors: [String]

    init(_ arguments: String..., input: String = "") async {
        await self.init(arguments, input: MemorySource(input))
    }

    init(
        _ arguments: [String],
        input: any ByteSource,
        output: MemorySink = MemorySink()
    ) async {
        let errors = MemorySink()
        exitCode = await ChangesetLint.run(
            arguments: arguments,
            input: input,
            output: output,
            errors: errors
        )
        self.output = output.lines
        self.errors = errors.lines
    }
}
