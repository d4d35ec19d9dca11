import CollectionElements

/// What change sets brought and put off, until the main lane comes to it: the newest set first, and of a set the
/// nearest first.
///
/// A value: it is told what happened and returns what is to be done. Main lane.
struct PutOffWork {
    /// How many elements one update measures at most, but for the end of a part: so many that an update costs little
    /// beside them, and so few that what is asked for meanwhile does not wait long.
    static let stretch = 512

    private var plans: [(plan: PreparationPlan, nextPart: Int)] = []
    private var isUnderWay = false

    var isEmpty: Bool { plans.isEmpty }

    /// A change set is handed over, and this is left of it.
    mutating func add(_ plan: PreparationPlan) {
        if !plan.parts.isEmpty { plans.append((plan, 0)) }
    }

    /// Nothing of it is wanted any more.
    mutating func removeAll() { plans = [] }

    /// Something happened by which a turn may be due.
    ///
    /// - Parameter isPreparing: whether other things are to be measured, which come first.
    /// - Returns: whether a turn has to be asked for.
    mutating func needsTurn(isPreparing: Bool) -> Bool {
        guard !isUnderWay, !isPreparing, !plans.isEmpty else {
            return false
        }
        isUnderWay = true
        return true
    }

    /// The turn has come.
    ///
    /// - Returns: what is to be measured now, if it is still wanted.
    mutating func turnCame() -> [ElementContent] {
        var contents: [ElementContent] = []
        while contents.count < Self.stretch, let (plan, part) = plans.last {
            plan.forEach(inPart: part) { contents.append($0) }
            if part + 1 == plan.parts.count {
                plans.removeLast()
            } else {
                plans[plans.count - 1].nextPart += 1
            }
        }
        return contents
    }

    /// What came of the turn has come to its end.
    mutating func turnEnded() { isUnderWay = false }
}
