/// What a run has a view for, and what is done to it.
extension RunPlan {
    /// Gives one run in so many a simulated view, and a client that does to it what users do; the others keep
    /// the view that refuses and loses updates, which takes a tenth of the time.
    ///
    /// - Parameter seed: that of the plan; all else is drawn from other numbers.
    mutating func drawView(seed: UInt64) {
        var random = SeededGenerator(seed: ~seed)
        guard random.isTrue(oneIn: Self.runsWithoutView) else { return }
        view = ViewPlan(&random)
        let count = 1 + random.next(below: 10)
        clients.append((0..<count).map { _ in .view(ViewAction(&random)) })
    }

    /// Enough for every kind of view to be met in a thousand seeds.
    private static let runsWithoutView = 16

    /// Why the view, or what is done to it, cannot be; nil if it can.
    var viewProblem: String? {
        if let problem = view?.problem { return problem }
        for case .view(let action) in clients.joined() {
            if let problem = action.problem { return problem }
        }
        return nil
    }
}
