/// One claim, and how to put a number to it.
struct Benchmark: Sendable {
    /// What `--filter` looks in; words between dots and hyphens.
    let name: String

    /// What the number is, and what it is compared with.
    let title: String

    let unit: Unit

    /// Nil for what is only reported.
    let goal: Goal?

    /// Measures, or returns nil where this platform cannot tell.
    let measure: @Sendable (Workbench) throws -> Measurement?

    enum Unit: String {
        case nanoseconds = "ns"
        case bytes
        case allocations
        case asks
        case events
        case moves
        case threads
        case viewports
        case sections
        case nodes
        case frames
    }

    /// Whether it counts what does not depend on how fast or how busy a machine is.
    var isCount: Bool { unit != .nanoseconds && unit != .frames }

    init(
        _ name: String,
        _ title: String,
        in unit: Unit = .nanoseconds,
        goal: Goal? = nil,
        measure: @escaping @Sendable (Workbench) throws -> Measurement?
    ) {
        self.name = name
        self.title = title
        self.unit = unit
        self.goal = goal
        self.measure = measure
    }
}
