import Logging
import Synchronization

/// A log of faults that may repeat many times: it has the first one, then at most one in an interval, with the number of
/// those in between.
final class FaultLog: Sendable {
    private let logger: Logger
    private let throttle: Mutex<LogThrottle>

    init(_ logger: Logger, interval: Duration = .seconds(60)) {
        self.logger = logger
        throttle = Mutex(LogThrottle(interval: interval))
    }

    func log(_ level: Logger.Level, _ message: @autoclosure () -> String) {
        guard let omitted = throttle.withLock({ $0.admit(at: .now) }) else { return }
        let more = omitted > 0 ? " (and \(omitted) more since the last such line)" : ""
        logger.log(level: level, "\(message())\(more)")
    }
}

/// The decision whether a line is logged. A value without a clock.
struct LogThrottle {
    let interval: Duration
    private var next: ContinuousClock.Instant?
    private var omitted = 0

    init(interval: Duration) { self.interval = interval }

    /// Returns the number of lines that were left out since the last one; `nil` if this one is left out too.
    mutating func admit(at now: ContinuousClock.Instant) -> Int? {
        if let next, now < next {
            omitted += 1
            return nil
        }
        next = now + interval
        defer { omitted = 0 }
        return omitted
    }
}
