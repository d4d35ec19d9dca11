import CollectionLayouts

/// How far fetching at one end has come.
///
/// A value: it is told what happened, and says whether somebody may be asked. The view's main lane owns it.
///
/// | state | left when | to |
/// |---|---|---|
/// | `idle` | somebody is asked | `fetching` |
/// | `fetching` | what there was is submitted | `arriving` |
/// | | the fetch failed, was called off or abandoned | `ended` |
/// | | there is nothing more | `exhausted` |
/// | `arriving` | nothing is on its way any more, and the content is another | `idle` |
/// | | nothing is on its way any more, and the content is as it was | `resting` |
/// | `ended` | nothing is on its way any more | `resting` |
/// | `resting` | the content is another, or the end is no longer near | `idle` |
/// | any but `fetching` | the application wants to try again | `idle` |
struct FetchProgress {
    /// What content is known by.
    struct Mark: Equatable {
        let numberOfItems: Int?
        /// How many updates have brought items, so that other content of the same size is other content.
        let arrivals: Int
        let size: Size
    }

    private enum State {
        case idle
        /// The number of the fetch, and what there was when it began.
        case fetching(Int, since: Mark)
        case arriving(since: Mark)
        case ended
        case resting(since: Mark)
        case exhausted
    }

    private var state = State.idle

    /// The number of the fetch that is under way.
    var fetch: Int? {
        if case .fetching(let number, _) = state { number } else { nil }
    }

    /// Whether content may arrive that a fetch submits, or has submitted.
    var isBringing: Bool {
        switch state {
        case .fetching, .arriving: true
        case .idle, .ended, .resting, .exhausted: false
        }
    }

    /// Whether somebody may be asked, as far as what came before goes. Nothing is on its way.
    ///
    /// - Parameter isNear: whether the viewport is near the end.
    mutating func isReady(_ mark: Mark, isNear: Bool) -> Bool {
        switch state {
        case .idle, .fetching, .exhausted: break
        case .arriving(let old): state = old == mark ? .resting(since: mark) : .idle
        case .ended: state = .resting(since: mark)
        case .resting(let old): if old != mark || !isNear { state = .idle }
        }
        if case .idle = state { return true }
        return false
    }

    /// Somebody is asked.
    mutating func began(_ number: Int, _ mark: Mark) { state = .fetching(number, since: mark) }

    /// The fetch that is under way ended.
    mutating func ended(_ ending: BatchFetchEnding) {
        guard case .fetching(_, let mark) = state else { return }
        switch ending {
        case .fetched: state = .arriving(since: mark)
        case .exhausted: state = .exhausted
        case .failed, .cancelled, .abandoned: state = .ended
        }
    }

    /// The application wants to try again.
    mutating func retry() {
        if fetch == nil { state = .idle }
    }
}
