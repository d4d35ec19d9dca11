import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// What a process has used until now, from `/proc`.
struct ServerUse {
    let seconds: Double
    let residentBytes: Int

    struct Fault: Error, CustomStringConvertible {
        let description: String
    }

    init(of process: Int) throws {
        guard
            let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
            let end = stat.lastIndex(of: ")")
        else { throw Fault(description: "there is no process \(process) to read the use of") }
        // By proc(5), from the state on.
        let fields = stat[stat.index(after: end)...].split(separator: " ")
        guard fields.count > 21, let user = Double(fields[11]), let system = Double(fields[12]),
            let pages = Int(fields[21])
        else { throw Fault(description: "/proc/\(process)/stat has another form") }
        seconds = (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
        residentBytes = pages * Int(getpagesize())
    }
}
