import CollectionElements

extension Simulation {
    /// A step that was chosen.
    struct Next {
        let place: Place
        /// The number of the fork that it is a part of.
        let fork: Int?
        let run: () -> Void
    }
}

extension Simulation.State {
    /// What could run now: by number of enqueuing, and by place.
    struct Candidate {
        let number: Int
        let place: Simulation.Place
        /// The position of its fork.
        let fork: Int?
    }

    /// In the order of enqueuing. A lane on which something runs, and waits, is not ready.
    var ready: [Candidate] {
        var ready: [Candidate] = []
        for index in queues.indices {
            guard let work = queues[index].first, !running.contains(.lane(index)) else { continue }
            ready.append(Candidate(number: work.number, place: .lane(index), fork: nil))
        }
        for (index, fork) in forks.enumerated() where !fork.unstarted.isEmpty {
            ready.append(Candidate(number: fork.number, place: .worker, fork: index))
        }
        ready.sort { $0.number < $1.number }
        return ready
    }

    /// Chooses a step and takes it out of where it waits.
    mutating func takeNext() -> Simulation.Next? {
        var ready = ready
        if let timer = timers.first, ready.isEmpty || choices.happens(1.0 / 64) {
            ready = [Candidate(number: timer.number, place: .timer, fork: nil)]
        }
        guard !ready.isEmpty else { return nil }
        let chosen = ready[choices.next(among: ready.map { $0.place.key })]
        steps += 1
        fold(UInt64(bitPattern: Int64(chosen.place.key)))
        switch chosen.place {
        case .lane(let index):
            guard let work = queues[index].popFirst() else { return nil }
            keep(chosen.place, work.number)
            return Simulation.Next(place: chosen.place, fork: nil, run: work.run)
        case .worker:
            guard let index = chosen.fork else { return nil }
            let position = choices.next(among: forks[index].unstarted)
            let part = forks[index].unstarted.remove(at: position)
            fold(UInt64(part))
            keep(chosen.place, forks[index].number)
            let (number, body) = (forks[index].number, forks[index].body)
            return Simulation.Next(place: .worker, fork: number) { body(part) }
        case .timer:
            let timer = timers.removeFirst()
            now = max(now, timer.deadline)
            keep(chosen.place, timer.number)
            return Simulation.Next(place: .timer, fork: nil) { timer.lane.enqueue(timer.run) }
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

    private mutating func keep(_ place: Simulation.Place, _ number: Int) {
        guard steps > tracesFrom else { return }
        trace.append(
            SimulatedStep(step: steps, number: number, place: label(of: place), nanoseconds: now)
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
