/// A batch that is being recorded.
final class OpenBatch {
    let id: SubmissionID
    /// When it began; zero without an observer.
    let start: Duration
    /// How many ends are still to come.
    var depth = 1
    var changes = HierarchyChangeSet()
    var context: (any Sendable)?
    var completions: [UpdateCompletion] = []
    /// The first closure that threw dooms the whole record.
    var failure: UpdateError?
    /// Whether a closure has declared content current.
    var declaresContentCurrent = false
    /// Whether who opened it takes its model back where it is rejected.
    var restoresModel = false
    var isOpen = true

    init(id: SubmissionID, context: (any Sendable)? = nil, start: Duration = .zero) {
        self.id = id
        self.context = context
        self.start = start
    }
}
