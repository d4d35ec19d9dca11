import CollectionPipeline

// What waits for longer than it should is told, once, and its end too.

extension SimulatedRun {
    private static let stallGuarantee = "Nothing Hangs In Silence"

    /// Lets a view that has stopped go on, now that nothing else does.
    func endStall() {
        guard simulation.fault == nil else { return }
        checkStalls()
        lane.enqueue { [self] in
            (view as? FaultyView)?.goOn()
            board?.endStall()
        }
        simulation.run(atMost: Self.stepLimit)
    }

    /// At rest, who still waits has waited for longer than any timeout.
    func checkStalls() {
        guard plan.stallMicroseconds != nil else { return }
        let told = Set(stalls.map(\.wait))
        for wait in PipelineWait.atRest where eventOrder.waits.contains(wait) {
            mark("stalled for \(wait)")
            guard !told.contains(wait) else { continue }
            note(Self.stallGuarantee, "somebody waits for \(wait), and nobody was told")
        }
    }

    /// At the end nobody waits.
    func checkNoStall() {
        for stall in stalls {
            note(Self.stallGuarantee, "the end of a stall was not told: \(stall)")
        }
    }

    func observeStall(_ event: PipelineEvent) {
        guard let stall = event.stall else { return }
        if event.kind == .stallEnded {
            if !stalls.contains(stall) { note(Self.stallGuarantee, "it was never told: \(stall)") }
            stalls.removeAll { $0 == stall }
        } else {
            if stalls.contains(stall) { note(Self.stallGuarantee, "it was told twice: \(stall)") }
            stalls.append(stall)
        }
    }
}

extension PipelineWait {
    /// What may be waited for while nothing goes on.
    fileprivate static let atRest: [PipelineWait] = [.room, .deploying, .finishing]
}
