import CollectionPublishing
import Synchronization
import Testing

@testable import LiveBoardServer

struct FrameCacheTests {
    private func beat(_ number: Int) -> HubMessage {
        let version = PublishedVersion(handle: HistoryHandle(rawValue: 1), number: number)
        return .upToDate(version, digest: CollectionReplica().digest)
    }

    private func key(_ number: Int, _ window: RequestedWindow? = nil) throws -> FrameKey {
        try #require(FrameKey(beat(number), window))
    }

    private func isMissing(_ answer: FrameCache.Answer) -> Bool {
        if case .missing = answer { true } else { false }
    }

    @Test func eachIsMadeOnceHoweverManyAsk() throws {
        var cache = FrameCache()
        let told = Mutex(0)
        #expect(isMissing(cache.ask(for: try key(1)) { _ in told.withLock { $0 += 1 } }))
        for _ in 0..<4 {
            guard case .underWay = cache.ask(for: try key(1), { _ in told.withLock { $0 += 1 } })
            else { Issue.record("it must be under way"); return }
        }
        // Another version, and another window, are others.
        #expect(isMissing(cache.ask(for: try key(2)) { _ in }))
        #expect(isMissing(cache.ask(for: try key(1, .rows(start: 0, count: 5))) { _ in }))
        let frame = try #require(StreamFrame(beat(1)))
        for waiter in cache.made(frame, try key(1)) { waiter(frame) }
        #expect(told.withLock { $0 } == 5)
        guard case .found(let found) = cache.ask(for: try key(1), { _ in }) else {
            Issue.record("it must be there")
            return
        }
        #expect(found === frame)
        // What could not be made is asked for again.
        #expect(cache.made(nil, try key(2)).count == 1)
        #expect(isMissing(cache.ask(for: try key(2)) { _ in }))
    }

    @Test func onlyTheNewestAreKept() throws {
        var cache = FrameCache()
        for number in 1...40 {
            _ = cache.ask(for: try key(number)) { _ in }
            _ = cache.made(StreamFrame(beat(number)), try key(number))
        }
        #expect(isMissing(cache.ask(for: try key(8)) { _ in }))
        #expect(!isMissing(cache.ask(for: try key(9)) { _ in }))
    }
}
