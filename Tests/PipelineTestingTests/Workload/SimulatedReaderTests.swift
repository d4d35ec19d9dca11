import CollectionChanges
import CollectionPipeline
import PipelineTestSupport
import Testing

@testable import CollectionPublishing
@testable import PipelineTesting

/// What a reader of a run says of messages that it may be told, and of those that it may not.
@Suite("What readers of a run are told", .endsHangs)
struct SimulatedReaderTests {
    private static func everything(_ reason: String, _ reader: Int = 1) -> String {
        "Resume Costs The Difference: hub: reader \(reader) is given everything: \(reason)"
    }

    private static func keepsAll(_ configuration: HubConfiguration) -> Bool {
        configuration.resumableUpdates == 1000 && configuration.resumableEdits == 1_000_000
    }

    private static func keepsPaused(_ configuration: HubConfiguration) -> Bool {
        configuration.retainedVersions == 1000 && configuration.retainedEdits > 4
    }

    // MARK: Everything

    /// Who comes back may be forgotten where the hub keeps little, and who is there where it keeps
    /// little for those who are.
    @Test func whoIsForgottenThoughTheHubKeepsItIsNoted() {
        // All, each but one, and none of what keeps much.
        for index in [15, 14, 13, 11, 7, 0] {
            func isTrue(_ bit: Int) -> Bool { index >> bit & 1 == 1 }
            let scene = HubScene([[1, 2, 3]]) { configuration in
                configuration.resumableUpdates == (isTrue(0) ? 1000 : 2)
                    && (configuration.resumableEdits == 8) != isTrue(1)
                    && (configuration.retainedVersions == 1) != isTrue(2)
                    && (configuration.retainedEdits == 4) != isTrue(3)
            }
            let configuration = scene.hub.configuration
            scene.goOn()
            scene.jump(to: scene.version(2))
            let reader = scene.reader(from: scene.version(1))
            #expect(
                scene.noted == (isTrue(0) && isTrue(1) ? [Self.everything("forgotten")] : []),
                "\(configuration)"
            )
            scene.settle([reader])
            scene.joinAgain(reader)
            #expect(
                scene.noted == (isTrue(2) && isTrue(3) ? [Self.everything("forgotten")] : []),
                "\(configuration)"
            )
            #expect(scene.marks("reset forgotten") == 2)
        }
    }

    @Test func whoJoinsTwiceIsNoted() {
        let scene = HubScene([[1, 2]])
        let reader = scene.reader()
        scene.settle([reader])
        #expect(scene.noted == [])
        scene.joinAgain(reader)
        #expect(scene.noted == [Self.everything("joined")])
    }

    @Test func whoIsOfThisHistoryAndTakenForAnotherIsNoted() {
        let scene = HubScene([[1, 2]])
        let other = PublishedVersion(handle: HistoryHandle(rawValue: 99), number: 1)
        let reader = scene.reader(from: other)
        scene.settle([reader])
        #expect(scene.noted == [])
        #expect(scene.marks("reset otherHistory") == 1)
        scene.jump(to: other)
        #expect(scene.noted == [Self.everything("otherHistory")])
        _ = scene.reader(from: scene.version(1))
        #expect(scene.noted == [Self.everything("otherHistory", 2)])
    }

    @Test func whoHasWhatWasShownAndIsNotKnownIsNoted() {
        let scene = HubScene([[1, 2]])
        for number in [-1, 2, .max] {
            let reader = scene.reader(from: scene.version(number))
            #expect(scene.noted == [])
            scene.settle([reader])
            scene.joinAgain(reader)
            #expect(scene.noted == [Self.everything("unknownVersion", reader.number)])
        }
        // It was shown, and the hub does not know of it.
        scene.published = { _ in nil }
        scene.goOn()
        _ = scene.reader(from: scene.version(2))
        #expect(scene.noted == [Self.everything("unknownVersion", 4)])
        _ = scene.reader(from: scene.version(3))
        #expect(scene.noted == [])
    }

    // MARK: Updates

    /// A list that is shown once more as it is, of which something else can be published.
    private static func shownTwice() -> (scene: HubScene, reader: SimulatedReader) {
        let scene = HubScene([[1, 2, 3]]) { $0.digestInterval == 1 }
        let reader = scene.reader()
        scene.settle([reader])
        scene.published = { _ in nil }
        scene.goOn()
        return (scene, reader)
    }

    @Test func anItemThatIsGivenAgainIsNoted() throws {
        let (scene, reader) = Self.shownTwice()
        var changes = HierarchyChangeSet()
        changes.deleteItems(at: [ItemPath(0, 1), ItemPath(0, 2)])
        changes.insertItems(at: [ItemPath(0, 1), ItemPath(0, 2)])
        try scene.publish(changes, leadingTo: HubScene.state([1, 2, 3]))
        scene.settle([reader])
        #expect(
            scene.noted
                == [2, 3].map {
                    "Resume Costs The Difference: hub: reader 1 is given item \($0) again"
                }
        )
        #expect(reader.replica.version == scene.version(2))
    }

    @Test func aSectionOfItemsThatAreGivenAgainIsNoted() throws {
        let (scene, reader) = Self.shownTwice()
        var changes = HierarchyChangeSet()
        changes.reloadSections([0])
        try scene.publish(changes, leadingTo: HubScene.state([1, 20, 3]))
        scene.settle([reader])
        #expect(
            scene.noted == [
                "Converges: hub: the message of reader 1 leads to another payload of item 20",
                "Resume Costs The Difference: hub: reader 1 is given item 1 again",
                "Resume Costs The Difference: hub: reader 1 is given item 3 again",
            ]
        )
    }

    @Test func aChangeOfWhatAReaderLacksIsNoted() throws {
        let (scene, reader) = Self.shownTwice()
        var changes = HierarchyChangeSet()
        changes.reconfigureItems(at: [ItemPath(0, 0), ItemPath(0, 1)])
        let state = HubScene.state([1, 20, 3], texts: [20: "2"])
        try scene.publish(changes, leadingTo: state)
        scene.settle([reader])
        #expect(
            scene.noted == [
                "Resume Costs The Difference: hub: reader 1 is told a change of what it lacks"
            ]
        )
    }

    @Test func anUpdateOfWhatAReaderHasAndLacksIsRight() {
        let scene = HubScene([[1, 2, 3]])
        let reader = scene.reader()
        scene.settle([reader])
        scene.insert([4, 5])
        scene.goOn()
        scene.reload()
        scene.settle([reader])
        #expect(scene.noted == [])
        #expect(scene.marks("reloaded") > 0)
        #expect(reader.replica.state.shape == HierarchyShape([5]))
    }

    // MARK: Messages that cannot be taken in

    /// Nothing else is said of what was not taken in.
    @Test func aMessageThatLeadsToSomethingElseIsNotedAndNotTakenIn() throws {
        let (scene, reader) = Self.shownTwice()
        var changes = HierarchyChangeSet()
        changes.deleteItems(at: [ItemPath(0, 0)])
        changes.insertItems(at: [ItemPath(0, 0)])
        try scene.publish(changes, leadingTo: HubScene.state([1, 2, 3], texts: [3: "three"]))
        scene.settle([reader])
        let noted = scene.noted
        #expect(noted.count == 1, "\(noted)")
        #expect(noted.first?.hasPrefix("Converges: hub: reader 1: the state at ") == true)
        #expect(reader.replica.version == scene.version(1))
    }

    @Test func whoIsToldTheRestAndHasNothingIsNoted() {
        let scene = HubScene([[1, 2]]) { Self.keepsAll($0) }
        scene.goOn()
        // It says that it has them, and nobody left with them.
        for number in 1...2 {
            let reader = scene.reader(from: scene.version(number))
            // From 1 on that is an update, and that there is no other.
            #expect(
                scene.noted
                    == (number...2).map {
                        "No Gap No Double: hub: reader \(number): the first message must bring a"
                            + " state, but follows on version \(scene.version($0))"
                    }
            )
            #expect(reader.replica.version == nil)
            #expect(scene.marks("resumed") == number)
            reader.checkAtRest(newest: 2, scene.newest)
            #expect(
                scene.noted == [
                    "Slow Hurts Nobody: hub: reader \(number) has version -1 of 2 at rest"
                ]
            )
        }
        #expect(scene.marks("up to date") == 0)
    }

    // MARK: At rest

    /// Who takes more has everything at rest; who is paused does not.
    @Test func whoTakesMoreAndLacksSomethingAtRestIsNoted() {
        let scene = HubScene([[1, 2]])
        var late = 0
        for seed: UInt64 in 0..<60 {
            let reader = scene.reader(seed: seed)
            let expected = [
                "Slow Hurts Nobody: hub: reader \(reader.number) has version 1 of 2 at rest"
            ]
            reader.checkAtRest(newest: 2, scene.newest)
            let noted = scene.noted
            if noted != [] {
                #expect(noted == expected)
                late += 1
            }
            scene.settle([reader])
            reader.checkAtRest(newest: 1, scene.newest)
            #expect(scene.noted == [])
            reader.checkAtRest(newest: 2, scene.newest)
            #expect(scene.noted == expected)
        }
        #expect((20..<60).contains(late))
    }
}
