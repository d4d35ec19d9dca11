extension Simulation {
    /// The step that was chosen to run next.
    enum Next {
        case begin(BeginningStep)
        case resume(PausedStep)
    }

    /// A step that is about to begin.
    struct BeginningStep {
        let place: Executor
        let number: Int
        /// Whether the step is a part of the fork with this number.
        let isPart: Bool
        let run: () -> Void
    }
}

extension Simulation.State {
    /// A step that could run now.
    struct Candidate {
        let number: Int
        let place: Simulation.Executor
        let origin: Origin

        /// The index of the candidate in the queues, forks or paused steps.
        enum Origin {
            case queue(Int)
            case fork(Int)
            case paused(Int)
            case timer
        }
    }

    /// The candidates, in the order in which they were enqueued. While a step of a lane is running
    /// or paused, the lane's next work is not ready, but the paused step itself may be.
    var ready: [Candidate] {
        var ready: [Candidate] = []
        let held = places
        for index in queues.indices {
            guard let work = queues[index].first, !held.contains(.lane(index)) else { continue }
            ready.append(
                Candidate(number: work.number, place: .lane(index), origin: .queue(index))
            )
        }
        if held.count(where: { $0 == .worker }) < workerCount {
            for (index, fork) in forks.enumerated() where !fork.unstarted.isEmpty {
                ready.append(Candidate(number: fork.number, place: .worker, origin: .fork(index)))
            }
        }
        ready += readyPaused
        ready.sort { $0.number < $1.number }
        return ready
    }

    /// The paused steps that could continue.
    private var readyPaused: [Candidate] {
        var ready: [Candidate] = []
        for (index, step) in paused.enumerated() {
            if let signal = step.signal, signals[signal] ?? 0 == 0, !isRushing { continue }
            if hasJustPaused, index == paused.count - 1 { continue }
            let (place, number) = (step.innermost.place, step.innermost.number)
            ready.append(Candidate(number: number, place: place, origin: .paused(index)))
        }
        return ready
    }

    /// The places of all steps that have begun and not ended.
    private var places: [Simulation.Executor] {
        guard !paused.isEmpty || !parked.isEmpty else { return running.map(\.place) }
        let held = paused.map(\.held) + parked
        return (running + held.flatMap(\.places)).map(\.place)
    }

    /// Chooses a step, and removes it from the collection in which it waits.
    mutating func takeNext() -> Simulation.Next? {
        if paused.isEmpty { isRushing = false }
        if steps >= stepLimit {
            // A step that has begun continues to its end even at the limit.
            (isRushing, hasJustPaused) = (true, false)
            return readyPaused.first.flatMap { take($0) }
        }
        var ready = ready
        if let timer = timers.first, ready.isEmpty || choices.happens(1.0 / 64) {
            ready = [Candidate(number: timer.number, place: .timer, origin: .timer)]
        }
        if ready.isEmpty, !paused.isEmpty {
            note(.deadlock(report: report))
            (isRushing, hasJustPaused) = (true, false)
            ready = readyPaused
        }
        guard !ready.isEmpty else { return nil }
        hasJustPaused = false
        return take(ready[choices.next(among: ready.map(\.place))])
    }

    private mutating func take(_ chosen: Candidate) -> Simulation.Next? {
        steps += 1
        fold(UInt64(bitPattern: Int64(chosen.place.key)))
        keep(chosen)
        let (place, number) = (chosen.place, chosen.number)
        func begin(isPart: Bool = false, _ run: @escaping () -> Void) -> Simulation.Next {
            .begin(
                Simulation.BeginningStep(place: place, number: number, isPart: isPart, run: run)
            )
        }
        switch chosen.origin {
        case .queue(let index): return queues[index].popFirst().map { begin($0.run) }
        case .fork(let index):
            let position = choices.nextPart(of: forks[index].unstarted.count)
            let part = forks[index].unstarted.remove(at: position)
            fold(UInt64(part))
            let body = forks[index].body
            return begin(isPart: true) { body(part) }
        case .paused(let index):
            fold(UInt64(number))
            return .resume(paused.remove(at: index))
        case .timer:
            let timer = timers.removeFirst()
            now = max(now, timer.deadline)
            return begin { timer.lane.enqueue(timer.run) }
        }
    }

    /// Records the end of a part. Returns the fork if this was its last part.
    mutating func finishPart(ofFork number: Int) -> Simulation.Fork? {
        guard let index = forks.firstIndex(where: { $0.number == number }) else { return nil }
        forks[index].unfinished -= 1
        return forks[index].unfinished == 0 ? forks.remove(at: index) : nil
    }

    /// Adds a word to the FNV-1a hash of the run.
    private mutating func fold(_ word: UInt64) { hash = (hash ^ word) &* 0x0000_0100_0000_01B3 }

    private mutating func keep(_ chosen: Candidate) {
        guard steps > tracesFrom else { return }
        var isResumed = false
        if case .paused = chosen.origin { isResumed = true }
        trace.append(
            SimulatedStep(
                step: steps,
                number: chosen.number,
                place: label(of: chosen.place),
                timestamp: now,
                isResumed: isResumed
            )
        )
    }
}

extension Simulation.Executor {
    /// A number for the hash, the same in every run.
    var key: Int {
        switch self {
        case .lane(let index): index
        case .worker: -1
        case .timer: -2
        }
    }
}

extension Simulation.State {
    /// The description of all waiting work; see ``Simulation/report``.
    var report: String {
        var lines = paused.flatMap { step in
            step.held.places.map { place in
                "lane \(label(of: place.place)): #\(place.number)"
                    + (step.signal == nil ? " has paused" : " waits for a signal")
            }
        }
        for (queue, label) in zip(queues, labels) where !queue.isEmpty {
            lines.append("lane \(label): \(queue.count) waiting, since number \(queue[0].number)")
        }
        for fork in forks {
            lines.append(
                "fork \(fork.number): \(fork.unstarted.count) parts not begun,"
                    + " \(fork.unfinished) not done, joins on \(fork.lane.label)"
            )
        }
        for timer in timers {
            let time = timer.deadline.attoseconds / 1_000_000_000
            lines.append("timer \(timer.number): due at \(time) ns on \(timer.lane.label)")
        }
        return lines.isEmpty ? "nothing waits" : lines.joined(separator: "\n")
    }

    /// Returns the name of a place for traces and reports.
    func label(of place: Simulation.Executor) -> String {
        switch place {
        case .lane(let index): labels[index]
        case .worker: SimulatedStep.worker
        case .timer: SimulatedStep.timer
        }
    }
}
