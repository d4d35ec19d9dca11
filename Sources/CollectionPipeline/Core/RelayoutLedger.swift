import CollectionElements

/// For what everything that there is was measured, and whether it is to be measured for something else.
///
/// A value: it is told what happened and returns what is to be done. The main lane owns it.
///
/// | state | ends when | and becomes |
/// |---|---|---|
/// | `idle` | somebody asks, the turn comes, and something is to be measured again | `measuring` |
/// | | the data source cannot be asked for it | `waiting` |
/// | | nothing is, but sets in step 3 may miss some | `measuring`, until they leave it |
/// | `waiting` | a set is accepted, with which the data source may agree again | `idle`, and a turn is due |
/// | | somebody asks, and the turn comes | as from `idle` |
/// | `measuring` | the relayout leaves step 3 | `idle`; a turn is due where somebody has asked meanwhile, or some may have been missed |
///
/// So a view that is resized at every frame has one relayout measured after the other, each for the newest size.
struct RelayoutLedger {
    /// What sizes are measured for.
    enum Offer: Sendable {
        /// The sizes that the view offers, to elements of which the data source says nothing else.
        case range(SizeRange)
        /// How a layout delegate found the view.
        case context(any Sendable)
    }

    private enum State: Equatable {
        case idle
        case waiting
        case measuring(generation: Int, isAsked: Bool)
    }

    private var state = State.idle

    /// For what everything was measured that had been accepted by then; nil before the first load.
    private(set) var common: Offer?

    /// Whether some of it was measured for something else since.
    private(set) var isMixed = false

    /// For what the newest set was measured; nil before the first.
    private(set) var newest: Offer?

    /// A turn has come.
    ///
    /// - Parameter isAsked: whether somebody asked for it.
    /// - Returns: whether to find out what is to be measured again.
    mutating func turnCame(isAsked: Bool) -> Bool {
        switch state {
        case .idle, .waiting: return isAsked
        case .measuring(let generation, let wasAsked):
            state = .measuring(generation: generation, isAsked: wasAsked || isAsked)
            return false
        }
    }

    /// Something may be to be measured again, but the data source cannot be asked.
    mutating func blocked() { state = .waiting }

    /// Nothing is to be measured again.
    mutating func settled(_ offer: Offer?) {
        state = .idle
        (common, isMixed) = (offer ?? common, false)
    }

    /// A relayout of everything was accepted; or nothing is left to be measured again, but by what sets may find that
    /// are in step 3.
    ///
    /// - Parameters:
    ///   - generation: that of the relayout, or of the last of those.
    ///   - missesSome: whether some of it may yet be measured for something else, by sets before it.
    mutating func began(_ generation: Int, missesSome: Bool) {
        state = .measuring(generation: generation, isAsked: missesSome)
        if missesSome { isMixed = true }
    }

    /// A set was accepted.
    ///
    /// - Parameters:
    ///   - offer: what its elements are measured for; nil where it brings none.
    ///   - isOfAll: whether these are all elements.
    ///   - isOther: whether they are measured for something else than all others.
    /// - Returns: whether a turn is due.
    mutating func accepted(_ offer: Offer?, isOfAll: Bool, isOther: Bool) -> Bool {
        if let offer {
            newest = offer
            if isOfAll { (common, isMixed) = (offer, false) } else if isOther { isMixed = true }
        }
        guard state == .waiting else { return false }
        state = .idle
        return true
    }

    /// A set has left step 3, and with it all before it, of which it may have taken some in.
    ///
    /// - Returns: whether a turn is due.
    mutating func measured(_ generation: Int) -> Bool {
        guard case .measuring(let awaited, let isAsked) = state, generation >= awaited else {
            return false
        }
        state = .idle
        return isAsked
    }
}
