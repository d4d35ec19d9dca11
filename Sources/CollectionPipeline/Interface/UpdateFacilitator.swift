/// Told of every update before the view is: the seam for layouts and range controllers that keep
/// books of their own.
///
/// Paths of an update lead from the view's index space before it to the one after it.
///
/// It should not keep the update itself: an update that the view drops deploys when nobody holds it.
public protocol UpdateFacilitator: AnyObject, Sendable {
    /// An update is about to be handed to the view. Main lane; must not submit or wait.
    func willDeploy(_ update: ViewUpdate)
}
