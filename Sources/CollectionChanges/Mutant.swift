/// Deliberate bugs, to show that the simulator is not blind; none exists in a build without
/// `PIPELINE_MUTANTS`, where ``isActive`` is constantly false.
package enum Mutant: String, CaseIterable, Sendable {
    /// The main serial queue does not go on after a block: a lost wake-up.
    case losesWakeUp
    /// The editing lane starts a set before the one before it has joined.
    case startsEarly
    /// A set without work overtakes those that are being measured.
    case overtakes
    /// The completions of an entry run twice where a close cancels it.
    case completesTwice
    /// A completion runs inside the call that led to it.
    case completesInline
    /// A close ends before outstanding callbacks have run.
    case closesEarly
    /// What waits for room is forgotten by a close.
    case forgetsSuspended
    /// Room in the backlog wakes nobody.
    case resumesNobody
    /// The limit of the backlog is off by some.
    case overfillsBacklog
    /// An update that the view lost is not deployed.
    case forgetsDropped
    /// The visible map is swapped when the view gets the update, not when it is ready.
    case swapsEarly
    /// A set that a reload replaces is deployed nevertheless.
    case deploysReplaced
    /// The models of sets that a reload stands for never reach their nodes.
    case forgetsReplacedModels
    /// Moved elements count as removed, so that nobody measures them.
    case skipsMoved
    /// A rejected set leaves its generation behind.
    case keepsRejected
    /// Nodes that are being made when traits change keep the old ones.
    case forgetsTraits
    /// The completions of a nest of batches run outer first.
    case completesOuterFirst
    /// The reload behind a refusal has the layout context of another map.
    case asksOtherMap
    /// A relayout measures models that their nodes have refused.
    case keepsOldNode
    /// A thread does not wait for another that uses the same node.
    case sharesNodes
    /// Nobody wakes a thread that waits for a node.
    case forgetsNodeWaiters
    /// What was removed while its node was being made is measured all the same.
    case measuresRemoved
    /// A node that was made while traits changed keeps the old ones.
    case storesOldTraits
    /// A relayout measures what has not changed as well.
    case measuresUnchanged
    /// A record that was made against an older map is taken for one against the newest.
    case ignoresStaleness
    /// A cancelled task that waits for room goes on waiting.
    case ignoresCancellation
    /// A controller that goes away without being closed leaves its submissions behind.
    case forgetsWhenDropped
    /// Whoever waits for the hand-over of what a close cancels waits on.
    case forgetsWaiters
    /// Waiting for the hand-over ends with that of the next set in place of the last.
    case waitsForNext
    /// What goes because its section is reloaded is prepared all the same.
    case preparesReloaded
    /// Once counts agree again after a rejection, content counts as current too.
    case trustsCounts
    /// That the view has an update is told when the view returns, in which it may have deployed it.
    case tellsHandOverLate
    /// Nobody is told of a view that does not finish.
    case forgetsStall
    /// What follows on a refused load comes as edits of what the view never showed.
    case forgetsRefusedLoad
    /// The end of a stall of the main lane may be told before the stall.
    case endsUntoldStall
    /// A close does not wait for who is telling the observer something.
    case closesBesideObserver
    /// Nobody is told of an element that a layout measures and that fails.
    case forgetsLayoutFailure

    /// A set is merged into a later one though the view has it.
    case mergesHandedOver
    /// The models of sets that were merged never reach their nodes.
    case forgetsMergedModels
    /// What the view is given of merged sets are the edits of the last alone.
    case givesLastOfMerged

    /// What was accepted since a record was made does not change the record.
    case rebasesOverNothing
    /// What is accepted between a call and its turn does not change what was rebased before.
    case rebasesOnce

    /// Who undoes takes no notice of what others did.
    case forgetsOthers
    /// What was taken back cannot be taken back once more: it is not noted that it was.
    case forgetsStep

    /// Of states that wait the oldest is shown in place of the newest.
    case appliesOldest
    /// What a superseded state marked is not reloaded.
    case forgetsMarks
    /// A state that was rejected is what the next is compared with.
    case keepsRejectedState
    /// A journal says that it is synced where it is not.
    case promisesUnsynced
    /// A journal goes on behind a torn record.
    case keepsTornTail
    /// Putting a state in place of what led to it drops what came after it.
    case forgetsNewerUpdates

    /// What is removed does not hear that it left the ranges.
    case forgetsRangeExits
    /// Ranges go by where elements were before an update.
    case keepsOldPlaces
    /// What was told is told again where the layout was asked anew.
    case tellsRangesAgain

    /// More is fetched while what was fetched is on its way.
    case fetchesInFlight
    /// An end is asked for again while somebody fetches.
    case fetchesTwice
    /// The end of a fetch is not followed by a look at what is to be fetched next.
    case forgetsFetchEnd

    /// Who asks to be measured again while others wait for it is forgotten.
    case forgetsLayoutRequests
    /// What part of a node is visible is not told again while it is.
    case forgetsVisibleRects
    /// The nodes of what is selected and goes are not told.
    case forgetsLooks

    /// What was put off is never measured by itself.
    case forgetsPutOff
    /// A view does not ask for what it shows and nobody measured.
    case forgetsUnmeasured
    /// A relayout that cannot be done at the moment is never done.
    case forgetsRelayout
    /// What was laid out beforehand goes by estimates, though it was measured.
    case keepsEstimates

    /// A view is busy for ever once its content moved by itself.
    case staysBusy
    /// Content that comes to rest is not said to.
    case forgetsScrollEnd
    /// More is fetched while a finger drags.
    case fetchesInDrags

    /// In an inverted view upper edges are mirrored and taken for upper edges.
    case mirrorsUpperEdges

    /// Nodes of what has left all ranges are not released.
    case keepsFarNodes
    /// What comes near again stays without the node that was released.
    case forgetsReleased

    /// A version at which somebody is paused is forgotten like any other.
    case forgetsPaused
    /// What changed in place is not told to who missed it.
    case forgetsMissedChanges
    /// Who missed several updates is given the last.
    case givesLastOnly
    /// Who comes back is given everything, whatever it has.
    case resetsAlways
    /// Everything that there is, is given with an older version.
    case joinsBehind
    /// What changes in place is published as it was.
    case publishesOldPayloads
    /// What is measured after it was shown is never published.
    case forgetsLatePayloads
    /// Who cannot be told more is told more.
    case tellsPaused
    /// Who was paused and goes on is not told anything.
    case forgetsResumed
    /// Readers are not told of a close.
    case closesSilently
    /// A window does not move with what it sees, when something happens before it.
    case forgetsWindowShifts
    /// A window stays in its place, whatever it follows, when something happens in it.
    case forgetsWindowPins
    /// Versions of who was paused with a window are known for ever.
    case keepsWindowVersions

    /// A record with the next number is taken in, whoever wrote it, whatever it follows on and leads to. Each of these
    /// alone is found by the others.
    case believesNumbers
    /// Who leads goes on when another has opened a later epoch.
    case leadsOn
    /// Who leads goes on when its lease has run out.
    case leadsWithoutLease
    /// What is to be durable first is shown before.
    case showsUnsynced
    /// What the broker is to have first is shown before.
    case showsUnconfirmed
    /// What was not confirmed is appended again as something new.
    case sealsAgain

    /// Whether it is in what replicates a log, so that only clusters meet it.
    package var isOfClusters: Bool {
        switch self {
        case .believesNumbers, .leadsOn, .leadsWithoutLease, .showsUnsynced, .showsUnconfirmed,
            .sealsAgain:
            true
        default: false
        }
    }

    #if PIPELINE_MUTANTS
        /// The one that is there in this process; set before anything runs.
        package nonisolated(unsafe) static var active: Mutant?
    #endif

    /// Whether this bug is there.
    @inline(__always)
    package var isActive: Bool {
        #if PIPELINE_MUTANTS
            Mutant.active == self
        #else
            false
        #endif
    }
}
