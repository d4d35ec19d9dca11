import Dispatch

extension DispatchGroup {
    /// Returns when every controller whose source entered the group is gone with all that it held.
    func waitUntilGone() throws {
        // Freeing a million elements takes a second on a busy machine.
        guard wait(timeout: .now() + .seconds(30)) == .success else {
            throw Failure("a controller that nobody holds any more is still there after 30 s")
        }
    }
}
