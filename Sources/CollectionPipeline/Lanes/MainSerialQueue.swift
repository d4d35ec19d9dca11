import CollectionElements

/// A queue of blocks that run on the main lane one after the other, first in, first out: step 4 of
/// every change set.
///
/// A block never starts inside another (Never Re-entrant) nor before `perform` returns (No Inline
/// Callbacks): blocks that arrive while another block runs wait until it has ended.
///
/// Source: Texture's main serial queue, without its re-entrant drain.
package final class MainSerialQueue: Sendable {
    private let lane: any Lane
    private let state = Lock(State())

    private struct State {
        var blocks = FIFO<@Sendable () -> Void>()
        /// Whether a drain is enqueued on the lane or running there.
        var isDrainScheduled = false
        var isRunningBlock = false
        /// A closure that is called outside the lock whenever a block is added; set only while a
        /// thread waits.
        var onAdd: (@Sendable () -> Void)?
    }

    /// Creates an empty queue over `lane`.
    package init(lane: any Lane) { self.lane = lane }

    /// The number of blocks that have not started.
    package var numberOfScheduledBlocks: Int { state.withLock { $0.blocks.count } }

    /// Whether one of the blocks is running.
    package var isRunningBlock: Bool { state.withLock { $0.isRunningBlock } }

    /// Appends `block`. May be called from any thread.
    package func perform(_ block: @escaping @Sendable () -> Void) {
        let (needsDrain, onAdd) = state.withLock { state in
            state.blocks.append(block)
            defer { state.isDrainScheduled = true }
            return (!state.isDrainScheduled, state.onAdd)
        }
        if needsDrain { scheduleDrain() }
        onAdd?()
    }

    private func scheduleDrain() { lane.enqueue { self.drain() } }

    /// Runs one block. The next block runs in a separate turn of the lane, so that accumulated
    /// blocks do not occupy the lane for longer than one block takes.
    private func drain() {
        runBlocks(1)
        let isMore = state.withLock { state in
            state.isDrainScheduled = !state.blocks.isEmpty
            return state.isDrainScheduled
        }
        if isMore { scheduleDrain() }
    }

    private func runBlocks(_ count: Int) {
        for _ in 0..<count {
            // A waiting call may have run the block already.
            let block = state.withLock { state -> (@Sendable () -> Void)? in
                let block = state.blocks.popFirst()
                state.isRunningBlock = block != nil
                return block
            }
            guard let block else { return }
            block()
            state.withLock { $0.isRunningBlock = false }
        }
    }

    /// Runs blocks as they arrive until `isDone` returns `true`, and sleeps on `signal` in between.
    /// The waiting calls use it on the lane and outside every block.
    package func drain(until isDone: () -> Bool, signal: any PipelineSignal) {
        lane.requireCurrent("A waiting call")
        require(!isRunningBlock, "A waiting call must not be made inside a block of the queue")
        state.withLock { $0.onAdd = { signal.signal() } }
        while true {
            runBlocks(state.withLock { $0.blocks.count })
            if isDone() { break }
            signal.wait()
        }
        state.withLock { $0.onAdd = nil }
    }
}
