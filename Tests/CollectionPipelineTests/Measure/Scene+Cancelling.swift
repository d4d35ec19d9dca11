import CollectionPipeline
import PipelineTestSupport

extension Scene {
    /// Loads, closes without draining while the first provider runs, and returns when the workers are
    /// done; for a scene with one worker.
    func cancelWhileTheFirstNodeIsMade() async throws {
        let gate = Gate()
        defer { gate.open() }
        nodes.onMake { _ in gate.pass() }
        try await onMain { try $0.assumeIsolated().reloadData(completion: nil) }
        await gate.reached()
        await close(draining: false)
        // The provider that was under way ends only now.
        gate.open()
        await stage.workersAreDone()
    }
}
