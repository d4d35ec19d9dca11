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
