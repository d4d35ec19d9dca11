/// Decides what goes wrong in a run, and how long things take.
package protocol WorkloadFates: Sendable {
    /// Whether a fault happens now; from any thread.
    func happens(_ fault: FaultPoint) -> Bool

    /// Takes a moment of real time, where there is one.
    func pause()
}

extension Simulation: WorkloadFates {
    /// Nothing: in a simulation time does not pass within a step.
    package func pause() {}
}
