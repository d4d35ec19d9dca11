import Hummingbird
import HummingbirdCore
import Logging

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The number of connections that a server accepts at a time. Further ones wait until others are closed.
struct ConnectionLimit: AvailableConnectionsDelegate {
    /// The maximum.
    let limit: Int
    private let log: FaultLog
    private var count = 0

    /// The number of descriptors that are left for files, brokers, and connections that are accepted together.
    static let reserve = 64

    /// A limit that the descriptors of the process suffice for.
    ///
    /// Without a descriptor a server can neither accept a connection nor read a file. The limit of the process is
    /// raised as far as it may be.
    init(_ wanted: Int, logger: Logger) {
        log = FaultLog(logger)
        var limits = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits) == 0 else {
            limit = wanted
            return
        }
        if limits.rlim_cur < limits.rlim_max {
            var raised = limits
            raised.rlim_cur = raised.rlim_max
            if setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &raised) == 0 {
                limits = raised
            }
        }
        let open = (try? SystemFiles.entries(of: "/proc/self/fd"))?.count ?? Self.reserve
        limit = min(wanted, max(1, Int(clamping: limits.rlim_cur) - open - Self.reserve))
        if limit < wanted {
            logger.notice(
                """
                \(limit) connections are accepted at a time, and not \(wanted), because the process may have \
                \(limits.rlim_cur) descriptors: see ulimit -n
                """
            )
        }
    }

    mutating func connectionOpened() {
        count += 1
        if count == limit {
            log.log(.warning, "all \(limit) connections are in use: further ones wait")
        }
    }

    mutating func connectionClosed() { count -= 1 }

    func isAcceptingNewConnections() -> Bool { count < limit }
}
