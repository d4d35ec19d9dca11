/// Decides what goes wrong in a run, and how long things take.
package protocol WorkloadFates: Sendable {
    /// Whether a fault happens now; from any thread.
    func happens(_ fault: FaultPoint) -> Bool

    /// Called by everything that a pipeline calls: takes a moment, or lets others run meanwhile.
    func pause()
}

extension Simulation: WorkloadFates {
    package func pause() {
        if happens(.callTakesLong) { yield() }
    }
}
