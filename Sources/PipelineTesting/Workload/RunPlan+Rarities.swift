// What only some runs have, each drawn from numbers of its own, so that one more changes none of the others.

extension RunPlan {
    /// Has one run in eight a view that stops going on, and timers that find out; in the others there are none
    /// that would take turns.
    ///
    /// - Parameter seed: that of the plan; all is drawn from other numbers.
    mutating func drawStalls(seed: UInt64) {
        var random = SeededGenerator(seed: (~seed).byteSwapped)
        guard view == nil, random.isTrue(oneIn: 8) else { return }
        stallMicroseconds = [1, 200, 10_000][random.next(below: 3)]
        faults.append(Fault(point: .viewStalls, rate: 0.2))
    }

    /// Has one run in five merge what a slow view has not got, and a backlog that is soon full.
    ///
    /// - Parameter seed: that of the plan; all is drawn from other numbers.
    mutating func drawMerging(seed: UInt64) {
        var random = SeededGenerator(seed: seed ^ 0x6D65_7267_6573)
        guard random.isTrue(oneIn: 5) else { return }
        (mergesWhenFull, rejectsWhenFull) = (true, false)
        backlogLimit = 1 + random.next(below: 3)
    }

    /// Has one run in six keep a journal of its second list.
    ///
    /// - Parameter seed: that of the plan; all is drawn from other numbers.
    mutating func drawJournal(seed: UInt64) {
        var random = SeededGenerator(seed: seed ^ 0x6A_6F75_726E_616C)
        guard random.isTrue(oneIn: 6) else { return }
        scatter(2 + random.next(below: 8), &random) { random in
            let isState = random.isTrue(oneIn: 2)
            return isState ? .task(.apply(random.next())) : .journal(random.next())
        }
    }

    /// Has one run in six publish its second list.
    ///
    /// - Parameter seed: that of the plan; all is drawn from other numbers.
    mutating func drawReaders(seed: UInt64) {
        var random = SeededGenerator(seed: seed ^ 0x72_6561_6465_7273)
        guard random.isTrue(oneIn: 6) else { return }
        // Now and then so much that what a history keeps is folded more than once.
        let count = random.isTrue(oneIn: 4) ? 48 : 6 + random.next(below: 16)
        scatter(count, &random) { random in
            let isState = random.isTrue(oneIn: 2)
            return isState ? .task(.apply(random.next())) : .readers(random.next())
        }
    }

    /// Has one run in five nodes that grow.
    ///
    /// - Parameter seed: that of the plan; all is drawn from other numbers.
    mutating func drawGrowing(seed: UInt64) {
        var random = SeededGenerator(seed: seed ^ 0x67_726F_7769_6E67)
        guard random.isTrue(oneIn: 5) else { return }
        scatter(1 + random.next(below: 6), &random) { .grow($0.next()) }
    }

    /// Has one run in four do what leaves its mark on all that comes after, so that the others go on without.
    ///
    /// - Parameter seed: that of the plan; all is drawn from other numbers.
    mutating func drawRarities(seed: UInt64) {
        var random = SeededGenerator(seed: seed.byteSwapped)
        guard random.isTrue(oneIn: 4) else { return }
        scatter(1 + random.next(below: 3), &random) { random in
            let isReload = random.isTrue(oneIn: 2)
            return isReload ? .reloadSection(random.next()) : .changeAndThrow(random.next())
        }
    }

    /// Has one run in five measure what is far away later, or not at all.
    ///
    /// - Parameter seed: that of the plan; all is drawn from other numbers.
    mutating func drawMeasuring(seed: UInt64) {
        var random = SeededGenerator(seed: seed ^ 0x6C_6174_6572)
        guard random.isTrue(oneIn: 5) else { return }
        measuring = Measuring(first: 1 + random.next(below: 4), isOnDemand: random.isTrue(oneIn: 2))
    }

    /// Has one simulated view in three laid out beforehand on workers.
    ///
    /// - Parameter seed: that of the plan; all is drawn from other numbers.
    mutating func drawPreparing(seed: UInt64) {
        var random = SeededGenerator(seed: seed ^ 0x70_7265_7061_7265)
        guard view != nil, random.isTrue(oneIn: 3) else { return }
        (hasLayout, preparesLayout) = (true, true)
        view?.layout = .flow
        view?.sizesItself = random.isTrue(oneIn: 8)
    }

    /// Has every second run with ranges release the nodes of what left them.
    ///
    /// - Parameter seed: that of the plan; all is drawn from other numbers.
    mutating func drawReleasing(seed: UInt64) {
        var random = SeededGenerator(seed: seed ^ 0x72_656C_6561_7365)
        guard view?.hasRanges == true, random.isTrue(oneIn: 2) else { return }
        releasesNodes = true
    }

    /// Has one simulated view in three resized again and again, as somebody does who drags the corner of a window.
    ///
    /// - Parameter seed: that of the plan; all is drawn from other numbers.
    mutating func drawResizing(seed: UInt64) {
        var random = SeededGenerator(seed: seed ^ 0x72_6573_697A_65)
        guard view != nil, random.isTrue(oneIn: 3) else { return }
        scatter(2 + random.next(below: 8), &random) { random in
            .view(.resize(width: 20 + random.next(below: 9), height: 6, isAnimated: false))
        }
    }

    /// Has one simulated view in three inverted.
    ///
    /// - Parameter seed: that of the plan; all is drawn from other numbers.
    mutating func drawInverting(seed: UInt64) {
        var random = SeededGenerator(seed: seed ^ 0x69_6E76_6572_7465)
        guard view != nil, random.isTrue(oneIn: 3) else { return }
        view?.isInverted = true
    }

    /// Puts actions between those of the clients, each somewhere.
    private mutating func scatter(
        _ count: Int,
        _ random: inout SeededGenerator,
        _ action: (inout SeededGenerator) -> Action
    ) {
        for _ in 0..<count {
            let client = random.next(below: clients.count)
            let place = random.next(below: clients[client].count + 1)
            clients[client].insert(action(&random), at: place)
        }
    }
}
