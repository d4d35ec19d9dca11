/// What a benchmark came to, ready to be printed.
struct Figure {
    let name: String
    let unit: Benchmark.Unit
    let goal: Goal?
    /// Nil where the platform could not tell.
    let value: Double?
    let spread: Double?
    let reference: Double?

    init(_ benchmark: Benchmark, _ measurement: Measurement?) {
        name = benchmark.name
        unit = benchmark.unit
        goal = benchmark.goal
        value = measurement?.value.median
        spread = measurement?.value.spread
        reference = measurement?.reference?.median
    }

    /// The value over the reference, or the other way round where the goal is one of gain.
    var ratio: Double? {
        guard let value, let reference else { return nil }
        let (over, under) =
            if case .ratioAtLeast = goal { (reference, value) } else { (value, reference) }
        return under == 0 ? nil : over / under
    }

    /// Nil without a goal, and where there is nothing to judge.
    var isMet: Bool? {
        guard let goal, let value else { return nil }
        return goal.isMet(value: value, ratio: ratio)
    }
}
