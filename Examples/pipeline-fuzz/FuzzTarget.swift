// What libFuzzer calls with bytes of its own making. A trap or a hang is its finding, and so is a broken
// promise, which stops the process here. What the bytes become is the affair of each job.
//
// Only there with PIPELINE_FUZZ in the environment of the build, since it has no main of its own:
//
//     PIPELINE_FUZZ=1 swift build -c release --sanitize=fuzzer -Xswiftc -sanitize=fuzzer,address \
//         --scratch-path .build-fuzz --product pipeline-fuzz
//     PIPELINE_FUZZ_JOB=journals .build-fuzz/release/pipeline-fuzz -max_total_time=60
//
// Without PIPELINE_FUZZ_JOB the first byte says which job the others are for; what was found with it is
// replayed with it.

/// What libFuzzer calls first, once: a job that there is not ends the process here.
@_cdecl("LLVMFuzzerInitialize")
public func initializeFuzzing(
    _ count: UnsafeMutableRawPointer?,
    _ arguments: UnsafeMutableRawPointer?
) -> CInt {
    _ = FuzzJob.chosen
    return 0
}

/// What libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOne(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    var bytes = Bytes(UnsafeBufferPointer(start: data, count: count))
    let job = FuzzJob.chosen ?? FuzzJob.allCases[Int(bytes.next()) % FuzzJob.allCases.count]
    switch job {
    case .validators: ValidatorJob.run(&bytes)
    case .views: ViewJob.run(&bytes)
    case .journals: JournalJob.run(&bytes)
    case .schedules: ScheduleJob.run(&bytes)
    }
    return 0
}

/// Stops the process, which is how libFuzzer hears of it, unless the promise is kept.
@inline(__always)
func check(_ condition: Bool, _ message: @autoclosure () -> String) {
    if !condition { fatalError(message()) }
}
