import Foundation
import Glibc

/// A small disk in memory, of one's own, so that it can be filled without harm.
public final class SmallDisk {
    /// Where it is.
    public let folder: URL

    private var filler: URL { folder.appendingPathComponent("filler") }

    /// Mounts one in a folder; nil where that is not allowed.
    public init?(_ folder: URL, megabytes: Int) {
        self.folder = folder
        guard geteuid() == 0,
            (try? FileManager.default.createDirectory(
                at: folder,
                withIntermediateDirectories: true
            )) != nil,
            mount("tmpfs", folder.path, "tmpfs", 0, "size=\(megabytes)m") == 0
        else { return nil }
    }

    deinit { unmount() }

    /// Takes it away, with everything that is on it.
    public func unmount() { umount2(folder.path, Int32(MNT_DETACH)) }

    /// Leaves no room on it.
    public func fill() {
        let file = open(filler.path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard file >= 0 else { return }
        defer { close(file) }
        let block = [UInt8](repeating: 0, count: 1 << 20)
        for size in [1 << 20, 1 << 12, 1] {
            while write(file, block, size) > 0 {}
        }
    }

    /// Gives the room back.
    public func drain() { try? FileManager.default.removeItem(at: filler) }
}
