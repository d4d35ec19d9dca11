import CollectionLayouts
import CollectionPipeline

/// What of a view is no longer up to date, and the rounds of the pass that brings it up to date.
///
/// A value: it is told what happened and returns what is to be done. The view's main lane owns it.
///
/// | state | left when | to |
/// |---|---|---|
/// | `idle` | somebody wants the view up to date, something is to be laid out, and no question is under way | `layingOut` |
/// | | an update is being shown | `updating` |
/// | `layingOut` | a round has ended after which nothing is to be laid out, or the pass has given up | `idle` |
/// | `updating` | the update is shown | `idle` |
///
/// A round goes through the steps in order: the layout is prepared, the offset settled, views are asked for their
/// sizes, what is needed is shown. An invalidation never interrupts a step. Where it comes before views are shown, the
/// rest of the round is left out, since the layout knows better by now; wherever it comes, another round follows. The
/// pass gives up after `idleRoundLimit` rounds without news, or `totalRoundLimit` in all.
struct LayoutPass {
    /// In how many rounds running layout and views may disagree: as many as UIKit's watchdog allows.
    static let usualIdleRoundLimit = 15

    var idleRoundLimit = Self.usualIdleRoundLimit

    /// How many rounds a pass has at most, though each brings news: as many as there are views, each of which
    /// may come in a round of its own.
    var totalRoundLimit = 10_000

    /// What becomes of a request to bring the view up to date.
    enum Answer {
        case upToDate
        case begun
        /// A pass, an update or a question is under way, which nothing may be put into.
        case rejected
    }

    /// Why a pass gives up.
    enum Overrun: Equatable {
        case withoutNews(rounds: Int)
        case inAll(rounds: Int)
    }

    private enum State { case idle, layingOut, updating }

    private struct Rounds {
        var count = 0
        /// How many of the last ones brought no news.
        var idleCount = 0
        var hasNews = false
        /// What came into the viewport in this pass: what comes and goes by turns is no news.
        var shown: Set<LayoutPlace> = []
        /// What was there and was asked for its size in this pass.
        var asked: Set<LayoutPlace> = []
    }

    private var state = State.idle
    private var rounds = Rounds()
    /// How many calls of the layout or of who fills views are under way.
    private var questionDepth = 0
    /// Whether there is anything to lay out.
    private(set) var isNeeded = true
    /// Whether the layout was prepared since it was invalidated last.
    private(set) var isPrepared = false
    /// Whether the layout has everything where it had it when it was prepared last: it was invalidated by nothing but
    /// other bounds since.
    private(set) var hasPlaces = false

    var isUpdating: Bool { state == .updating }

    /// Whether the view is in the middle of something that nothing may be put into.
    var isLocked: Bool { state != .idle || questionDepth > 0 }

    // MARK: Around passes

    /// Something is to be laid out.
    mutating func needed() { isNeeded = true }

    /// The layout is no longer as it was prepared.
    ///
    /// - Parameter isForBounds: whether no more than the content offset is another.
    mutating func invalidated(isForBounds: Bool) {
        isPrepared = false
        if !isForBounds { hasPlaces = false }
    }

    /// The layout is about to be used.
    ///
    /// - Returns: whether it is to be prepared. It counts as prepared from now on, so that what it invalidates
    ///   meanwhile is computed again.
    @discardableResult
    mutating func preparing() -> Bool {
        defer { (isPrepared, hasPlaces) = (true, true) }
        return !isPrepared
    }

    mutating func questionBegan() { questionDepth += 1 }

    mutating func questionEnded() { questionDepth -= 1 }

    mutating func updateBegan() { state = .updating }

    mutating func updateEnded() { state = .idle }

    // MARK: The pass

    /// Somebody wants the view up to date.
    mutating func requested() -> Answer {
        guard isNeeded else { return .upToDate }
        guard !isLocked else { return .rejected }
        state = .layingOut
        return .begun
    }

    mutating func roundBegan() {
        isNeeded = false
        rounds.hasNews = false
    }

    /// A view that was there was asked for its size.
    mutating func asked(_ place: LayoutPlace) {
        if rounds.asked.insert(place).inserted { rounds.hasNews = true }
    }

    /// All views were asked that were there.
    ///
    /// - Returns: whether the round goes on. Then the layout gave them what they prefer, and having asked is no news.
    mutating func allAsked() -> Bool {
        if isPrepared { rounds.hasNews = false }
        return isPrepared
    }

    /// A view came into the viewport.
    mutating func shown(_ place: LayoutPlace) {
        if rounds.shown.insert(place).inserted { rounds.hasNews = true }
    }

    /// - Returns: why the pass gives up, if it does: what is needed is then to be shown once more, without asking.
    mutating func roundEnded() -> Overrun? {
        rounds.count += 1
        rounds.idleCount = rounds.hasNews ? 0 : rounds.idleCount + 1
        guard isNeeded else { return nil }
        if rounds.idleCount >= idleRoundLimit { return .withoutNews(rounds: rounds.idleCount) }
        return rounds.count >= totalRoundLimit ? .inAll(rounds: rounds.count) : nil
    }

    /// The pass has given up, and shown what is needed.
    mutating func gaveUp() { isNeeded = false }

    mutating func ended() {
        state = .idle
        rounds = Rounds()
    }
}

/// What is in the viewport, and what is on its way out of it.
struct DisplayState {
    var shown = ShownViews()
    /// What the layout said of the viewport and around.
    var window = AttributeWindow()
    /// What the layout could not use, as far as it was reported.
    var layoutErrors: [LayoutError] = []
    /// Who tells nodes how near they are.
    var ranges: RangeController?
    /// Views that animations take away, a group an animation, until it ends.
    var leaving = FIFO<[ShownView]>()
    /// How views came, went and moved in the last change, if that was animated.
    var transitions: [ViewTransition] = []
    /// The animated update that the next pass, or that under way, belongs to.
    var animated: ValidatedChangeSet?
    /// How many views the viewport shows at most, since elements without extent would otherwise all be
    /// shown at once.
    var viewLimit = 10_000
}

/// Where views come from, and where they wait.
struct SupplyState {
    var pool = ReusePool()
    var prefetching = PrefetchState()
    /// Who has more content fetched.
    var fetcher: BatchFetcher?
    /// Who waits until no fetch is under way.
    var fetchWaiters: [() -> Void] = []
    /// Views that were dequeued in the answer that is under way, or left over from earlier ones.
    var dequeued: [(view: CollectionReusableView, place: LayoutPlace)] = []
    /// The view that its data source is configuring again.
    var reconfiguring: (place: LayoutPlace, view: CollectionReusableView)?
}
