import TestSupport
import Testing

@testable import CollectionElements

@Suite("Freeing maps")
struct MapReclaimingTests {
    /// Keeps what it is to release until it is told to.
    private final class HeldReclaimer: MapReclaimer {
        let held = Journal<@Sendable () -> Void>()

        func reclaim(_ release: @escaping @Sendable () -> Void) { held.append(release) }

        func releaseAll() {
            let releases = held.values
            held.removeAll()
            for release in releases { release() }
        }
    }

    /// Sections count as well: a map of exactly as many is freed on the spot.
    @Test(arguments: [
        ([0], 0, false), ([1], 0, false), ([4095], 0, false), ([4096], 0, true),
        ([2048, 2046], 0, false), ([2048, 2047], 0, true),
        ([4000], 95, false), ([4000], 96, true), ([5000, 5000], 3, true),
    ])
    func aMapIsFreedElsewhereIfItIsLarge(
        _ counts: [Int],
        _ supplementaries: Int,
        _ isLarge: Bool
    ) throws {
        let reclaimer = HeldReclaimer()
        let ended = LiveCount()
        var maker = ElementMaker { ended.add(1) }
        var map = ElementMap.empty(generation: 0)
        func load() throws {
            let empty = MapPicture(reclaimer: reclaimer)
            let update = ValidatedChangeSet.reloadingData(
                from: .empty,
                to: HierarchyShape(counts)
            )
            let step = empty.step(
                update,
                &maker,
                supplementaries: supplementaries > 0 ? [0: [.header: (0, supplementaries)]] : [:]
            )
            map = empty.applying(step).map
        }
        try load()
        let total = counts.reduce(supplementaries, +)
        #expect(map.numberOfElements == total && maker.modelCount.value == total)
        reclaimer.releaseAll()
        map = .empty(generation: 0)
        #expect(reclaimer.held.count == (isLarge ? 1 : 0))
        #expect(ended.value == (isLarge ? 0 : total))
        reclaimer.releaseAll()
        #expect(ended.value == total)
    }

    /// Whoever lets go of a map last frees nothing of a large one, even where the reclaimer is done before that
    /// ends: what is left then is nothing.
    @Test func nothingIsLeftForWhoeverLetsGo() {
        let (ended, endedWithin) = (LiveCount(), LiveCount())
        let reclaimer = InlineReclaimer { endedWithin.add(ended.value) }
        var maker = ElementMaker { ended.add(1) }
        let update = ValidatedChangeSet.reloadingData(from: .empty, to: [5000])
        var map = MapPicture(reclaimer: reclaimer).applying(
            MapPicture(reclaimer: reclaimer).step(update, &maker)
        ).map
        #expect(map.numberOfElements == 5000)
        map = .empty(generation: 0)
        #expect(ended.value == 5000 && endedWithin.value == 5000)
    }

    /// Releases at once, and tells when that has ended.
    private final class InlineReclaimer: MapReclaimer {
        let didRelease: @Sendable () -> Void
        init(didRelease: @escaping @Sendable () -> Void) { self.didRelease = didRelease }

        func reclaim(_ release: @escaping @Sendable () -> Void) {
            release()
            didRelease()
        }
    }

    @Test func everyMapThatIsMadeOfALargeOneIsFreedLikeIt() throws {
        let reclaimer = HeldReclaimer()
        let ended = LiveCount()
        var maker = ElementMaker { ended.add(1) }
        var picture = try MapPicture(reclaimer: reclaimer).loaded([5000, 10], &maker)
        picture = try picture.inserting(1, at: ItemPath(0, 7), &maker)
        #expect(reclaimer.held.count == 1)
        picture = picture.replacing(at: [ItemPath(0, 3)], &maker)
        #expect(reclaimer.held.count == 2)
        var map: ElementMap? = picture.map
        picture = MapPicture()
        #expect(reclaimer.held.count == 2, "still held")
        var renumbered = map?.withGeneration(100)
        map = map?.emptied(generation: 200)
        #expect(reclaimer.held.count == 2, "the same storage under another number")
        renumbered = nil
        #expect(reclaimer.held.count == 3 && renumbered == nil)
        try dropLoaded(map, &maker)
        #expect(reclaimer.held.count == 4, "what followed on the emptied map, too")
        #expect(ended.value == 0)
        reclaimer.releaseAll()
        #expect(ended.value == maker.modelCount.value)
    }

    /// A map loaded after another was emptied, and released.
    private func dropLoaded(_ empty: ElementMap?, _ maker: inout ElementMaker) throws {
        let empty = try #require(empty)
        let update = ValidatedChangeSet.reloadingData(from: .empty, to: [4500])
        let change = MapPicture().step(update, &maker).change
        _ = empty.applying(update, change, generation: 201)
    }

    /// The last one to release a shared part frees it, wherever that is; nothing is freed twice.
    @Test func versionsThatShareAreFreedInAnyOrder() throws {
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let reclaimer = HeldReclaimer()
            let ended = LiveCount()
            var maker = ElementMaker { ended.add(1) }
            var versions = [0: try MapPicture(reclaimer: reclaimer).loaded([4200, 4200], &maker)]
            versions[1] = try versions[0]?.inserting(2, at: ItemPath(0, 0), &maker)
            var changes = HierarchyChangeSet()
            changes.deleteSections([0])
            let update = try changes.validated(from: [4202, 4200], to: [4200])
            if let base = versions[1] { versions[2] = base.applying(base.step(update, &maker)) }
            for age in order { versions[age] = nil }
            #expect(reclaimer.held.count == 3 && ended.value == 0)
            reclaimer.releaseAll()
            #expect(ended.value == maker.modelCount.value)
        }
    }
}
