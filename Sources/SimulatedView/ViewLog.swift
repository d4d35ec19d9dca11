/// What a view did and met, the newest of it.
struct ViewLog {
    private(set) var events: [ViewEvent] = []
    private let capacity: Int

    init(capacity: Int) { self.capacity = max(0, capacity) }

    /// - Parameter event: made only if it is kept.
    mutating func append(_ event: @autoclosure () -> ViewEvent) {
        guard capacity > 0 else { return }
        events.append(event())
        // Trimmed by halves, so that a full log costs nothing an event.
        if events.count >= 2 * capacity { events.removeFirst(events.count - capacity) }
    }

    mutating func removeAll() { events = [] }
}
