import Foundation

/// What an input can be for.
enum FuzzJob: String, CaseIterable {
    /// Shapes and edits for the validators.
    case validators
    /// Everything that a program may do to a view with layouts.
    case views
    /// Binary forms, and damaged journals.
    case journals
    /// Choices for runs of whole pipelines and of clusters.
    case schedules

    /// The one that the environment asks for; nil where the first byte of each input chooses.
    ///
    /// Read once. Any other name ends the process, because a run of hours must not be for another job
    /// than was meant.
    static let chosen: FuzzJob? = {
        guard let name = ProcessInfo.processInfo.environment["PIPELINE_FUZZ_JOB"] else {
            return nil
        }
        if let job = FuzzJob(rawValue: name) { return job }
        let names = allCases.map(\.rawValue).joined(separator: ", ")
        FileHandle.standardError.write(
            Data("pipeline-fuzz: unknown job '\(name)', expected one of \(names)\n".utf8)
        )
        exit(2)
    }()
}
