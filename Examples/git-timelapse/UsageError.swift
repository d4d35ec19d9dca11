/// Arguments that make no sense; the exit code is then 2.
struct UsageError: Error, Hashable, Sendable, CustomStringConvertible {
    /// One line for people, without the pointer to `--help`.
    var description: String

    init(_ description: String) { self.description = description }
}
