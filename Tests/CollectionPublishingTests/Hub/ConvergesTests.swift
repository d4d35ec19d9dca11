import CollectionPipeline
import CollectionPublishing
import PipelineTestSupport
import PipelineTesting
import Testing

@Suite("Converges", .endsHangs)
struct ConvergesTests {
    /// Readers that take now one message and now many, while others join, leave and edit.
    @Test(arguments: Substrate.allCases)
    func everyReaderEndsWithWhatTheHubHas(_ substrate: Substrate) async throws {
        let scene = PublishedScene(
            substrate,
            configure: {
                $0.resumableUpdates = 8
                $0.digestInterval = 1
            }
        )
        let readers = (0..<12).map { RandomReader(seed: $0, isAlwaysReady: $0 < 3) }
        let tokens = try readers.map { try $0.read(scene.hub) }
        try await scene.controller.reloadData()
        try await withThrowingTaskGroup { group in
            for number in 0..<4 {
                group.addTask {
                    for round in 0..<25 { try await scene.append("\(number) \(round)") }
                }
            }
            for (reader, token) in zip(readers, tokens) {
                group.addTask {
                    for _ in 0..<40 {
                        reader.goOn(token)
                        await Task.yield()
                    }
                }
            }
            group.addTask {
                for _ in 0..<20 {
                    let visitor = RandomReader(seed: 99, isAlwaysReady: true)
                    let token = try visitor.read(scene.hub)
                    _ = await scene.hub.report()
                    #expect(visitor.error == nil)
                    token.leave()
                }
            }
            try await group.waitForAll()
        }
        await scene.close()
        while !readers.allSatisfy(\.isClosed) {
            for (reader, token) in zip(readers, tokens) { reader.goOn(token) }
            _ = await scene.hub.report()
        }
        let end = scene.hub.snapshot
        #expect(end.state.numberOfItems == 103)
        for reader in readers {
            #expect(reader.error == nil && reader.replica.state == end.state)
            #expect(reader.replica.digest == end.digest)
        }
        withExtendedLifetime(tokens) {}
    }
}

/// Keeps a replica, and pauses as it likes.
private final class RandomReader: Sendable {
    private struct State {
        var replica = CollectionReplica()
        var error: ReplicaError?
        var random: SeededGenerator
        var isPaused = false
    }

    private let state: Lock<State>
    private let isAlwaysReady: Bool

    init(seed: UInt64, isAlwaysReady: Bool) {
        state = Lock(State(random: SeededGenerator(seed: seed)))
        self.isAlwaysReady = isAlwaysReady
    }

    var replica: CollectionReplica { state.withLock { $0.replica } }
    var error: ReplicaError? { state.withLock { $0.error } }
    var isClosed: Bool { replica.isClosed }

    func read(_ hub: UpdateHub) throws -> HubReader {
        try hub.addReader { [self] message in
            state.withLock { state in
                do throws(ReplicaError) {
                    try state.replica.apply(message)
                } catch {
                    state.error = error
                }
                if isAlwaysReady || state.random.isTrue(oneIn: 2) { return .more }
                state.isPaused = true
                return .pause
            }
        }
    }

    /// Once for each pause.
    func goOn(_ token: HubReader) {
        let isPaused = state.withLock { state in
            defer { state.isPaused = false }
            return state.isPaused
        }
        if isPaused { token.resume() }
    }
}
