import CollectionElements

extension Simulation {
    /// What was chosen to run next.
    enum Next {
        case begin(BeginningStep)
        case resume(PausedStep)
    }

    /// A step that was chosen to begin.
    struct BeginningStep {
        let place: Place
        let number: Int
        /// Whether it is a part of the fork of that number.
        let isPart: Bool
        let run: () -> Void
    }
}

extension Simulation.State {
    /// What could run now: by number of enqueuing, and by place.
    struct Candidate {
        let number: Int
        let place: Simulation.Place
        let origin: Origin

        /// Where it is among the queues, forks or paused steps.
        enum Origin {
            case queue(Int)
            case fork(Int)
            case paused(Int)
            case timer
        }
    }

    /// In the order of enqueuing. A lane on which a step is under way is not ready, but that step may be.
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

    /// The steps that are under way and could go on.
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

    /// Where steps are under way.
    private var places: [Simulation.Place] {
        guard !paused.isEmpty || !parked.isEmpty else { return running.map(\.place) }
        let held = paused.map(\.held) + parked
        return (running + held.flatMap(\.places)).map(\.place)
    }

    /// Chooses a step and takes it out of where it waits.
    mutating func takeNext() -> Simulation.Next? {
        if paused.isEmpty { isRushing = false }
        if steps >= stepLimit {
            // Who is in the middle of something comes to its end all the same.
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

    /// A part has ended; the fork, if it was the last.
    mutating func finishPart(ofFork number: Int) -> Simulation.Fork? {
        guard let index = forks.firstIndex(where: { $0.number == number }) else { return nil }
        forks[index].unfinished -= 1
        return forks[index].unfinished == 0 ? forks.remove(at: index) : nil
    }

    /// FNV-1a over the words of the run.
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

extension Simulation.Place {
    /// The same in every run.
    var key: Int {
        switch self {
        case .lane(let index): index
        case .worker: -1
        case .timer: -2
        }
    }
}

extension Simulation.State {
    /// What waits where; see the simulation's property of that name.
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

    /// The name of a place in traces and reports.
    func label(of place: Simulation.Place) -> String {
        switch place {
        case .lane(let index): labels[index]
        case .worker: SimulatedStep.worker
        case .timer: SimulatedStep.timer
        }
    }
}
