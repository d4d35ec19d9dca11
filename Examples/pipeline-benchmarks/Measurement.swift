/// What a benchmark measured: its own samples, and those of what it is compared with.
struct Measurement {
    var value: Samples
    var reference: Samples?

    init(_ value: Samples, over reference: Samples? = nil) {
        self.value = value
        self.reference = reference
    }
}
