extension Benchmark {
    /// Everything that is measured. Those that share the large collection stand together.
    static let all: [Benchmark] =
        changeSets + lookUps + maps + contention + loading + manySections + validation + emptySets
        + measuring + controllers
}
