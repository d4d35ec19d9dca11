/// A batch that is being recorded.
final class OpenBatch {
    let id: SubmissionID
    /// When it began; 0 without an observer.
    let start: UInt64
    /// How many ends are still to come.
    var depth = 1
    var changes = HierarchyChangeSet()
    var context: (any Sendable)?
    var completions: [UpdateCompletion] = []
    /// The first closure that threw dooms the whole record.
    var failure: UpdateError?
    /// Whether a closure has declared content current.
    var declaresContentCurrent = false
    var isOpen = true

    init(id: SubmissionID, context: (any Sendable)? = nil, start: UInt64 = 0) {
        self.id = id
        self.context = context
        self.start = start
    }
}
