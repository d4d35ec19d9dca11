/// Why a snapshot refused an edit or a question: the fault, the identifiers at fault, and what to do.
///
/// Nothing has changed when this is thrown (Whole Or Nothing). `message` contains the text that UIKit
/// has for the same fault, so that a search for it finds the same advice.
public struct SnapshotError: Error, Hashable, Sendable {
    /// Which fault it is.
    public let code: Code

    /// The fault in a sentence, with its values; it contains UIKit's own.
    public let message: String

    /// Descriptions of the identifiers at fault, in the order in which they were given; the first
    /// hundred where there are more.
    public let identifiers: [String]

    /// What to do about it.
    public let hint: String

    init<ID>(_ code: Code, _ message: String, _ identifiers: some Sequence<ID>, hint: String) {
        self.code = code
        self.message = message
        self.identifiers = identifiers.prefix(100).map { String(describing: $0) }
        self.hint = hint
    }
}

extension SnapshotError: CustomStringConvertible {
    /// The message, what to do, and the code.
    public var description: String { "\(message)\nHint: \(hint)\n[\(code.rawValue)]" }
}
