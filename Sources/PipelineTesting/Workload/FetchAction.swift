import SimulatedView

/// What an application does to the fetcher of its view.
package enum FetchAction: String, Hashable, Sendable, Codable, CaseIterable {
    case triesHeadAgain
    case triesTailAgain
    case callsOffHead
    case callsOffTail
    case wantsHead
    case wantsNoHead

    package init(_ random: inout SeededGenerator) {
        self = Self.allCases[random.next(below: Self.allCases.count)]
    }
}
