/// Something that a user, or the program around it, does to a view.
package enum ViewAction: Hashable, Sendable, Codable {
    /// By so many tenths of a unit.
    case scroll(Int)
    /// To one of the items that there are.
    case scrollToItem(UInt64)
    /// Moves to one of the items that there are, in time; or to the beginning.
    case moveToItem(UInt64)
    case moveToTop
    /// A finger drags in so many turns, in all of which the view is busy, and lets go.
    case drag(turns: Int, tenths: Int)
    case resize(width: Int, height: Int, isAnimated: Bool)
    case setLayout(ViewPlan.Layout, isAnimated: Bool)
    /// A touch on one of the visible cells that lasts for so many turns.
    case touch(UInt64, turns: Int)
    case select(UInt64)
    /// A moment without other work, in which so many cells may be prepared.
    case idle(Int)
    /// One of the visible cells wants another size from now on.
    case changeWish(UInt64)
    case inset(Int)
    case invalidate
    /// What decides how far ranges reach changes.
    case range(RangeAction)
    /// What is fetched, and when, changes.
    case fetch(FetchAction)

    package init(_ random: inout SeededGenerator) {
        switch random.next(below: 22) {
        case 0, 1, 2: self = .scroll(random.next(below: 400) - 200)
        case 3: self = .scrollToItem(random.next())
        case 4, 5:
            self = .drag(turns: random.next(below: 6), tenths: random.next(below: 100) - 50)
        case 6:
            self = .resize(
                width: random.isTrue(oneIn: 12) ? 0 : 20 + random.next(below: 30),
                height: 2 + random.next(below: 12),
                isAnimated: random.isTrue(oneIn: 2)
            )
        case 7, 8:
            self = .setLayout(ViewPlan.Layout(&random), isAnimated: random.isTrue(oneIn: 2))
        case 9: self = .touch(random.next(), turns: random.next(below: 4))
        case 10: self = .select(random.next())
        case 11: self = .idle(random.next(below: 5))
        case 12, 13: self = .changeWish(random.next())
        case 14: self = .inset(random.next(below: 4))
        case 15, 16: self = .range(RangeAction(&random))
        case 17, 18: self = .fetch(FetchAction(&random))
        case 19: self = .moveToItem(random.next())
        case 20: self = .moveToTop
        default: self = .invalidate
        }
    }

    /// Whether elements may have other sizes to choose from afterwards.
    var offersOtherSizes: Bool {
        switch self {
        case .resize, .setLayout, .inset: true
        default: false
        }
    }

    /// Why an action from outside cannot be performed; nil if it can.
    package var problem: String? {
        func isBeyond(_ number: Int, _ limit: Int) -> Bool { !(0...limit).contains(number) }
        let isWrong =
            switch self {
            case .scroll(let tenths): !(-1_000_000...1_000_000).contains(tenths)
            case .drag(let turns, let tenths):
                isBeyond(turns, 100) || !(-1_000_000...1_000_000).contains(tenths)
            case .resize(let width, let height, _): isBeyond(width, 1000) || isBeyond(height, 1000)
            case .touch(_, let turns): isBeyond(turns, 100)
            case .idle(let count), .inset(let count): isBeyond(count, 1000)
            case .scrollToItem, .moveToItem, .moveToTop, .setLayout, .select, .changeWish,
                .invalidate, .range, .fetch:
                false
            }
        return isWrong ? "a number is out of range: \(self)" : nil
    }
}

extension ViewAction: CustomStringConvertible {
    /// The action in a few words, for a person.
    package var description: String {
        switch self {
        case .scroll(let tenths): "scroll \(tenths)"
        case .scrollToItem: "scroll to an item"
        case .moveToItem: "move to an item"
        case .moveToTop: "move to the beginning"
        case .drag(let turns, let tenths): "drag \(tenths) in \(turns) turns"
        case .resize(let width, let height, let isAnimated):
            "resize to \(width) × \(height)" + (isAnimated ? " animated" : "")
        case .setLayout(let layout, let isAnimated):
            "layout \(layout.rawValue)" + (isAnimated ? " animated" : "")
        case .touch(_, let turns): "touch for \(turns) turns"
        case .select: "select"
        case .idle(let count): "idle \(count)"
        case .changeWish: "change a wish"
        case .inset(let inset): "inset \(inset)"
        case .invalidate: "invalidate"
        case .range(let action): "range: \(action)"
        case .fetch(let action): "fetch: \(action)"
        }
    }
}
