import CollectionElements
import CollectionPipeline
import Foundation
import PipelineSimulation
import PipelineTestSupport

// Submissions from threads and tasks, through every entry point.

extension StressRun {
    func submitFromThread(_ seed: UInt64) async {
        await onThread {
            var random = SeededGenerator(seed: seed)
            for _ in 0..<self.submissionsEach {
                self.submitOnce(&random)
                usleep(UInt32(random.next(below: 200)))
            }
        }
    }

    func onThread(_ body: @escaping @Sendable () -> Void) async {
        _ = await suspend { (resume: @escaping @Sendable (Bool) -> Void) in
            Thread.detachNewThread {
                body()
                resume(true)
            }
        }
    }

    private func submitOnce(_ random: inout SeededGenerator) {
        let seed = random.next()
        switch random.next(below: 12) {
        case 0: onMain { try $0.assumeIsolated().relayoutAllNodes(completion: $1) }
        case 1:
            onMain {
                try $0.assumeIsolated().relayoutItems(
                    at: [ItemPath(section: 0, item: 0)],
                    completion: $1
                )
            }
        case 2:
            // A single edit on the main lane, which is never rejected for lack of capacity.
            onMain { controller, completion in
                do throws(UpdateError) {
                    try controller.assumeIsolated().beginUpdates()
                } catch {
                    // No completion will be called, and nothing has changed.
                    return self.didComplete(.rejected(error), isLate: false)
                }
                if let path = controller.assumeIsolated().dataSource.insertAtTop() {
                    try controller.assumeIsolated().insertItems(at: [path])
                }
                if controller.divergence?.countsSince != nil {
                    try controller.assumeIsolated().reloadData(completion: nil)
                }
                try controller.assumeIsolated().endUpdates(completion: completion)
            }
        case 3: onMain { try $0.assumeIsolated().reloadData(completion: $1) }
        case 4:
            lane.enqueue { [self] in
                guard let controller, controller.isOpen else { return }
                controller.assumeIsolated().environmentDidChange(
                    Traits(textScale: Double(seed % 3))
                )
            }
        case 5: controller?.waitUntilReached(.deliveredToView)
        case 6:
            enqueue { model, changes in
                var random = SeededGenerator(seed: seed)
                model.lie(&random, &changes)
            }
        case 7: enqueue { _, _ in throw InjectedFault() }
        default: enqueue(Self.editing(seed))
        }
    }

    private static func editing(
        _ seed: UInt64
    ) -> @Sendable (ReferenceModel, inout BatchRecorder) throws -> Void {
        { model, changes in
            var random = SeededGenerator(seed: seed)
            model.edit(&random, &changes)
        }
    }

    private func enqueue(
        _ updates: @escaping @Sendable (ReferenceModel, inout BatchRecorder) throws -> Void
    ) {
        guard let controller else { return }
        submitted.add()
        let isLate = isClosed.withLock { $0 }
        controller.enqueueBatchUpdates(animated: true, updates) {
            self.didComplete($0.outcome, isLate: isLate)
        }
    }

    /// Makes a synchronous call on the main lane unless the controller has closed.
    private func onMain(
        _ call:
            @escaping @Sendable (DataController<ReferenceModel>, @escaping UpdateCompletion)
            throws -> Void
    ) {
        submitted.add()
        lane.enqueue { [self] in
            guard let controller, controller.isOpen else {
                return didComplete(.cancelled, isLate: true)
            }
            // A rejection is thrown and also passed to the completion.
            try? call(controller) { [self] in didComplete($0.outcome, isLate: false) }
        }
    }

    /// Submits with `async` calls, some of which are cancelled.
    func submitFromTask(_ seed: UInt64) async {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<submissionsEach {
            let seed = random.next()
            guard let controller else { return }
            submitted.add()
            let task = Task {
                if seed % 5 == 0 { return try await controller.reloadData() }
                return try await controller.performBatchUpdates(Self.editing(seed))
            }
            if random.next(below: 6) == 0 { task.cancel() }
            switch await task.result {
            case .success(let result): count(result.outcome)
            case .failure(let error as UpdateError):
                count(error.code == .cancelled ? .cancelled : .rejected(error))
            case .failure(let error): fail("an unexpected error: \(error)")
            }
            completed.add()
        }
    }
}

extension DataController {
    /// Whether synchronous calls are still allowed. Call it on the main lane.
    fileprivate var isOpen: Bool { !assumeIsolated().isClosed }
}
