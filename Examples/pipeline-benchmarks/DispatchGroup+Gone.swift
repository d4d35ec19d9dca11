import Dispatch

extension DispatchGroup {
    /// Returns when every controller whose source entered the group is gone with all that it held.
    ///
    /// - Parameter seconds: what is far above the second that freeing a million elements takes.
    func waitUntilGone(within seconds: Int = 30) throws {
        guard wait(timeout: .now() + .seconds(seconds)) == .success else {
            throw Failure(
                "a controller that nobody holds any more is still there after \(seconds) s"
            )
        }
    }
}
