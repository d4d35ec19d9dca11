/// What must not be, and is.
package struct Violation: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Two states have one version.
        case digests = "Converges: digests differ at one version"
        /// An edit is there twice, is missing among others, or is out of order.
        case order = "No Gap No Double: edits are doubled, missing or out of order"
        /// A list goes back to an earlier leadership.
        case writers = "One Writer: an earlier leadership follows on a later one"
        /// What was acknowledged is not there.
        case lost = "Durable As Promised: an acknowledged edit is lost"
        /// A leadership acknowledged what the next one did not begin with.
        case fenced = "One Writer: acknowledged behind the opening of a later epoch"
        /// Members that live are not equal in time.
        case rest = "Converges: members are not equal when faults have ended"
        /// A process is not what it should be.
        case ended = "a process ended by itself, or told what nobody understands"
    }

    package var kind: Kind
    package var message: String
}
