import Dispatch

/// Tokens with deadlines that never go back, so that the first is the next; those answered meanwhile are dropped from the front.
struct DeadlineList {
    private var entries: [(token: UInt64, deadline: DispatchTime)] = []
    private var head = 0

    /// The next deadline.
    var first: DispatchTime? { head < entries.count ? entries[head].deadline : nil }

    mutating func append(_ token: UInt64, at deadline: DispatchTime) {
        entries.append((token, deadline))
    }

    /// Drops from the front what no longer waits, so that the list is as long as what does.
    mutating func dropAnswered<Waiting>(_ waiting: [UInt64: Waiting]) {
        while head < entries.count, waiting[entries[head].token] == nil { advance() }
    }

    /// Takes the first if it is due or answered; nil where there is none such.
    mutating func removeFirst<Waiting>(
        dueAt now: DispatchTime,
        orNotIn waiting: [UInt64: Waiting]
    ) -> UInt64? {
        guard head < entries.count else { return nil }
        let (token, deadline) = entries[head]
        guard deadline <= now || waiting[token] == nil else { return nil }
        advance()
        return token
    }

    private mutating func advance() {
        head += 1
        // Moved to the front when half of it is used up: constant a token.
        if head > 64, head * 2 > entries.count {
            entries.removeFirst(head)
            head = 0
        }
    }
}
