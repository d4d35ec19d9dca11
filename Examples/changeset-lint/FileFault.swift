import Foundation

/// What the system answered to reading or writing.
struct FileFault: Error, Equatable {
    let errorNumber: Int32

    /// The fault of the system call that has just failed.
    static var latest: FileFault { FileFault(errorNumber: errno) }

    /// Whether nobody reads what is written any more, which is a clean end and no error.
    var isBrokenPipe: Bool { errorNumber == EPIPE }

    /// What the system calls it, such as `No such file or directory`.
    var message: String { String(cString: strerror(errorNumber)) }
}
