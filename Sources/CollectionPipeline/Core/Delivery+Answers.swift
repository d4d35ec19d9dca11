// What a delivery keeps of a reload, and what it answers.

extension Delivery {
    /// A reload that stands for sets which the view rejected or can no longer apply.
    struct Recovery {
        let generation: Int
        /// The first set that it stands for: the rejected one, or the one behind a reload that was refused.
        let first: Int
        /// The generation of the rejected set, whose models reached their nodes before the rejection.
        let rejected: Int
    }

    /// What to do with a set whose turn has come.
    enum HandOver {
        /// Nothing: a close has cancelled it in the meantime, or it is part of a later set.
        case gone
        /// Nothing: the reload that is on its way shows it as well.
        case replaced
        /// Nothing yet: the view is full.
        case held
        /// The view, or who stands for it, is given it, as one with those that are part of it.
        case give(with: [Payload])
    }

    /// Whether the view may show a set that it was given.
    enum Readiness {
        /// It may not: closed, or replaced by a reload, shown already or not, in the meantime. The view drops it.
        case outdated
        /// Another comes first, which is a mistake of the view's.
        case early(expected: Payload?)
        /// It may, and with it everything that it stands for: their models reach their nodes, in order, its
        /// own last.
        case ready(Payload, standingFor: [Payload])
    }
}
