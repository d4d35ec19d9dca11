import CollectionElements

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

// Where steps come from: what is enqueued on lanes, forked to the workers, or waits for its time.

extension Simulation {
    /// Makes a serial lane.
    public func makeLane(label: String) -> any Lane {
        let index = state.withLock { state in
            state.queues.append(FIFO())
            state.labels.append(label)
            return state.queues.count - 1
        }
        return SimulatedLane(self, index, label)
    }

    /// The environment for a controller: lanes, workers, timers and a clock of this simulation.
    public var environment: any PipelineEnvironment { SimulatedEnvironment(simulation: self) }

    func enqueue(_ work: @escaping @Sendable () -> Void, on lane: Int) {
        state.withLock { state in
            state.queues[lane].append(Work(number: state.numbers, run: work))
            state.numbers += 1
        }
    }

    func isCurrent(_ place: Place) -> Bool {
        state.withLock { $0.running.last?.place == place && $0.thread == Self.currentThread }
    }

    static var currentThread: UInt {
        #if canImport(Darwin)
            UInt(bitPattern: pthread_self())
        #else
            UInt(pthread_self())
        #endif
    }

    var workerCount: Int { state.withLock { $0.workerCount } }

    func fork(
        parts: Int,
        joinOn lane: any Lane,
        body: @escaping @Sendable (Int) -> Void,
        join: @escaping @Sendable () -> Void
    ) {
        state.withLock { state in
            state.forks.append(
                Fork(
                    number: state.numbers,
                    unstarted: Array(0..<parts),
                    unfinished: parts,
                    lane: lane,
                    body: body,
                    join: join
                )
            )
            state.numbers += 1
        }
    }

    func schedule(
        after delay: Duration,
        on lane: any Lane,
        _ work: @escaping @Sendable () -> Void
    ) {
        state.withLock { state in
            let timer = Timer(
                deadline: state.now.later(by: delay),
                number: state.numbers,
                lane: lane,
                run: work
            )
            let position =
                state.timers.firstIndex { $0.deadline > timer.deadline } ?? state.timers.count
            state.timers.insert(timer, at: position)
            state.numbers += 1
        }
    }
}

extension Duration {
    /// What a clock that shows this shows after a delay, as far as it goes; a negative delay is as none.
    func later(by delay: Duration) -> Duration {
        let (sum, overflows) = attoseconds.addingReportingOverflow(max(0, delay.attoseconds))
        return Duration(attoseconds: overflows ? .max : sum)
    }
}
