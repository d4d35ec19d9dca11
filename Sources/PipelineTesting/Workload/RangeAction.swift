import SimulatedView

/// What an application does to the ranges of its view.
package enum RangeAction: String, Hashable, Sendable, Codable, CaseIterable {
    case pressureRises
    case pressureFalls
    case goesToBackground
    case comesToForeground
    case isHidden
    case isSeen
    case asksForFull
    case asksForNothing
    /// Ranges reach further along than back, or the other way round.
    case tunes

    package init(_ random: inout SeededGenerator) {
        self = Self.allCases[random.next(below: Self.allCases.count)]
    }

    /// Does it.
    func perform(on ranges: RangeController) {
        switch self {
        case .pressureRises:
            ranges.memoryPressure = ranges.memoryPressure == .normal ? .warning : .critical
        case .pressureFalls: ranges.memoryPressure = .normal
        case .goesToBackground: ranges.applicationDidEnterBackground()
        case .comesToForeground: ranges.applicationWillEnterForeground()
        case .isHidden: ranges.isContainerVisible = false
        case .isSeen: ranges.isContainerVisible = true
        case .asksForFull: ranges.requestedMode = .full
        case .asksForNothing: ranges.requestedMode = nil
        case .tunes:
            // Wider for what is displayed than for what is preloaded, which is odd, and allowed.
            ranges.setTuningParameters(
                ranges.tuningParameters(for: .preload, in: .full),
                for: .display,
                in: .full
            )
            ranges.setTuningParameters(.zero, for: .preload, in: .full)
        }
    }
}
