/// What a view did and met, the newest of it; and what went wrong.
struct ViewLog {
    var errors = ErrorNotes()
    private var kept: [ViewEvent] = []
    private let capacity: Int

    init(capacity: Int) { self.capacity = min(max(0, capacity), .max / 2) }

    /// The newest, oldest first.
    var events: [ViewEvent] { Array(kept.suffix(capacity)) }

    /// - Parameter event: made only if it is kept.
    mutating func append(_ event: @autoclosure () -> ViewEvent) {
        guard capacity > 0 else { return }
        kept.append(event())
        // Trimmed by halves, so that a full log costs nothing an event.
        if kept.count >= 2 * capacity { kept.removeFirst(kept.count - capacity) }
    }

    mutating func removeAll() { kept = [] }
}

/// The first errors, since one mistake mostly shows in every element.
struct ErrorNotes {
    private(set) var first: [ViewError] = []
    private(set) var count = 0

    mutating func add(_ error: ViewError) {
        count += 1
        if first.count < 64 { first.append(error) }
    }
}
