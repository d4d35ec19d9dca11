/// A mistake in the command line, for which the exit code is 2.
package struct UsageError: Error, Hashable, Sendable, CustomStringConvertible {
    /// One line for people, without a full stop and without the reference to `--help`.
    package let description: String

    package init(_ description: String) { self.description = description }
}

/// The exit codes of the programs.
package enum ExitCode: Int32 {
    case success = 0
    /// A check failed, or a goal was missed.
    case failedCheck = 1
    /// The usage is invalid, or input or output failed.
    case badInput = 2
}

/// A reader of the words after the program's name.
///
/// An option's value is the next word, or follows an equals sign. All words after `--` are
/// operands.
package struct CommandLineReader {
    /// The words so far that are no options.
    package private(set) var operands: [String] = []
    private var words: ArraySlice<String>
    private var option = ""
    /// The value after the equals sign of the current option.
    private var attachedValue: String?

    package init(_ words: some Sequence<String>) { self.words = Array(words)[...] }

    /// Returns the next option, or `nil` after the last word.
    ///
    /// - Throws: An error if the previous option had a value that was not read.
    package mutating func nextOption() throws(UsageError) -> String? {
        if attachedValue != nil { throw UsageError("\(option) takes no value") }
        while let word = words.popFirst() {
            if word == "--" {
                operands += words
                words = []
            } else if word.hasPrefix("-"), word != "-" {
                let parts = word.split(
                    separator: "=",
                    maxSplits: 1,
                    omittingEmptySubsequences: false
                )
                option = String(parts[0])
                attachedValue = parts.count == 2 ? String(parts[1]) : nil
                return option
            } else {
                operands.append(word)
            }
        }
        return nil
    }

    /// Returns the value of the current option.
    ///
    /// - Parameter what: A description of the value.
    package mutating func value(_ what: String = "a value") throws(UsageError) -> String {
        guard let value = attachedValue.take() ?? words.popFirst() else {
            throw UsageError("\(option) needs \(what)")
        }
        return value
    }
}
