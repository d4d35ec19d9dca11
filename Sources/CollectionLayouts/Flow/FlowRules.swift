/// The metrics of one section, as they were answered, with everything that is no distance replaced.
struct FlowResolvedMetrics: Hashable, Sendable {
    var inset = EdgeInsets.zero
    var interitemSpacing = 10.0
    var lineSpacing = 10.0
    /// The header's extent along the scroll direction; 0 if there is none.
    var header = 0.0
    /// The same for the footer.
    var footer = 0.0
}

/// All that decides where the items of one section go, but their sizes.
struct FlowRules: Hashable, Sendable {
    let environment: FlowEnvironment
    let metrics: FlowResolvedMetrics

    /// From where lines begin, across.
    var leading: Double {
        metrics.inset.acrossLeading(environment.direction) + environment.acrossLeading
    }

    /// The room for a line.
    var available: Double {
        environment.dimension - metrics.inset.across(environment.direction)
            - (environment.acrossLeading + environment.acrossTrailing)
    }

    /// Where the first line is, along, from the section's start.
    var linesStart: Double { metrics.header + metrics.inset.leading(environment.direction) }

    /// Whether lines are broken alike under both.
    func breaksLines(as other: FlowRules) -> Bool {
        available == other.available
            && metrics.interitemSpacing == other.metrics.interitemSpacing
            && environment.direction == other.environment.direction
    }
}
