/// Which part of a pipeline a call came from.
package enum CallPlace: Hashable, Sendable {
    case mainLane
    case worker
    case elsewhere
}
