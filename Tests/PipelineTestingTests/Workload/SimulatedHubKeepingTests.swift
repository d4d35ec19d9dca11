import CollectionElements
import CollectionPipeline
import PipelineTestSupport
import Testing

@testable import CollectionPublishing
@testable import PipelineTesting

/// What the hub of a run makes and remembers, and what it says of a real hub that keeps too much.
@Suite("What the hub of a run keeps", .endsHangs)
struct SimulatedHubKeepingTests {
    /// A hub with paused readers that the run knows nothing of, each at a version of its own.
    private static func hub(
        resumableUpdates: Int,
        pausedReaders: Int,
        updates: Int
    ) throws -> (scene: HubScene, readers: [HubReader]) {
        let scene = HubScene([[1, 2]]) {
            $0.resumableUpdates == resumableUpdates && $0.resumableEdits > 8
                && $0.retainedVersions == 1000 && $0.retainedEdits > 4
                && $0.minimumInterval == .zero
        }
        var readers: [HubReader] = []
        for index in 0..<updates {
            if index < pausedReaders {
                readers.append(try scene.hub.hub.addReader { _ in .pause })
            }
            scene.goOn()
        }
        return (scene, readers)
    }

    @Test func asManyVersionsAsTheHubIsToKeepAreRight() throws {
        for (resumableUpdates, updates) in [(0, 1), (0, 3), (1, 3), (2, 1), (2, 4), (1000, 6)] {
            let (scene, _) = try Self.hub(
                resumableUpdates: resumableUpdates,
                pausedReaders: 0,
                updates: updates
            )
            scene.hub.checkAtRest()
            scene.run.simulation.run()
            #expect(scene.noted == [], "\(resumableUpdates) and \(updates)")
        }
    }

    @Test func versionsThatAreKeptForNobodyAreNoted() throws {
        for resumableUpdates in [0, 1, 2] {
            let (scene, readers) = try Self.hub(
                resumableUpdates: resumableUpdates,
                pausedReaders: 3,
                updates: 6
            )
            let kept = 1 + resumableUpdates + 3
            scene.hub.checkAtRest()
            scene.run.simulation.run()
            #expect(
                scene.noted == [
                    "Slow Hurts Nobody: hub: 3 readers are kept of 0",
                    "Slow Hurts Nobody: hub: \(kept) versions are kept of \(kept - 3)",
                ]
            )
            // One that is known may be at a version of its own.
            for seed: UInt64 in 0... {
                scene.hub.act(seed)
                scene.run.simulation.run()
                if !scene.hub.readers.isEmpty { break }
            }
            scene.settle(scene.hub.readers)
            scene.hub.checkAtRest()
            scene.run.simulation.run()
            #expect(
                scene.noted == [
                    "Slow Hurts Nobody: hub: 4 readers are kept of 1",
                    "Slow Hurts Nobody: hub: \(kept) versions are kept of \(kept - 2)",
                ]
            )
            withExtendedLifetime(readers) {}
        }
    }

    @Test func versionsThatAreKeptAfterTheCloseAreNoted() throws {
        for (resumableUpdates, pausedReaders) in [(0, 0), (2, 0), (0, 1), (1, 2), (2, 3)] {
            let (scene, readers) = try Self.hub(
                resumableUpdates: resumableUpdates,
                pausedReaders: pausedReaders,
                updates: 6
            )
            scene.hub.hub.controllerDidClose()
            scene.run.simulation.run()
            scene.hub.checkClosed()
            scene.run.simulation.run()
            let kept = 1 + resumableUpdates + pausedReaders
            let expected = [
                "Slow Hurts Nobody: hub: \(pausedReaders) readers are kept after the close",
                "Slow Hurts Nobody: hub: \(kept) versions are kept for nobody",
            ]
            #expect(scene.noted == (pausedReaders == 0 ? [] : expected))
            withExtendedLifetime(readers) {}
        }
    }

    @Test func whatWasShownAndNotAnnouncedIsNoted() {
        let scene = HubScene([[1]])
        scene.published = { _ in nil }
        scene.goOn()
        scene.hub.checkAtRest()
        scene.run.simulation.run()
        #expect(
            scene.noted == [
                "No Gap No Double: hub: version 1 is announced, and 2 was shown"
            ]
        )
    }

    // MARK: What it remembers

    /// A payload says which item it is of and how many were rendered, so that no two are equal.
    @Test func everyNodeShowsSomethingElse() {
        let scene = HubScene([[1]])
        let shown = [5, 5, 6].map { model in
            (scene.hub.makeNode(model) as? any PublishedNode)?.payload
        }
        #expect(
            shown
                == ["5 rendered as 1", "5 rendered as 2", "6 rendered as 3"].map {
                    PublishedPayload($0)
                }
        )
    }

    @Test func aReloadIsBetweenWhatWasBeforeItAndWhatItLedTo() {
        let scene = HubScene([[1, 2]])
        scene.goOn()
        scene.reload()
        scene.goOn()
        scene.reload()
        #expect(scene.hub.newestShown == 5)
        for old in 1...5 {
            for new in old...5 {
                let expected = [3, 5].contains { $0 > old && $0 <= new }
                let found = scene.hub.isReloaded(since: scene.version(old), to: new)
                #expect(found == expected, "\(old) to \(new)")
            }
        }
        for new in 0...5 { #expect(!scene.hub.isReloaded(since: nil, to: new)) }
    }

    /// Where everything is replaced every item shows what its node has by then, even one
    /// that stays.
    @Test func everyItemIsRenderedByAReload() {
        let scene = HubScene([[1, 2, 3]])
        let reader = scene.reader()
        scene.settle([reader])
        scene.texts.now = [1: "one", 2: "two", 3: "three"]
        scene.told = { [unowned scene] in scene.reloading($0) }
        scene.published = scene.told
        scene.goOn()
        scene.settle([reader])
        #expect(scene.noted == [])
        #expect(scene.newest.isReload)
        #expect(
            scene.newest.sections.map { $0.map(\.payload) }
                == [["one", "two", "three"].map { PublishedPayload($0) }]
        )
        #expect(scene.marks("reloaded") == 1)
    }

    // MARK: Windows

    /// A window that says that the list has more or less than it has.
    @Test func aWindowOfAListOfAnotherSizeIsNoted() throws {
        let scene = HubScene([[1, 2], [], [3]])
        let section = PublishedContents.FreshSection(
            section: PublishedSection(number: 2, payload: nil)
        )
        let state = PublishedState([section], shape: HierarchyShape([0]))
        for sections in 2...4 {
            for items in 2...4 {
                let place = WindowPlace(
                    totalSections: sections,
                    totalItems: items,
                    firstSection: 1,
                    firstItem: 0,
                    itemsBefore: 2
                )
                let snapshot = PublishedSnapshot(
                    version: scene.version(1),
                    state: state,
                    digest: state.digest,
                    place: place
                )
                var replica = CollectionReplica()
                try replica.apply(.reset(snapshot, .joined))
                scene.hub.check(replica, "a window")
                let expected = "Converges: hub: a window leads to \(state.shape) at 1"
                #expect(
                    scene.noted == (sections == 3 && items == 3 ? [] : [expected]),
                    "\(place)"
                )
            }
        }
    }
}
