import Testing

extension Trait where Self == TimeLimitTrait {
    /// Ends a test that hangs.
    ///
    /// Far above what any test takes: a test's time includes its waiting for the others, and grows
    /// tenfold under a sanitizer on a machine that has other work.
    package static var endsHangs: Self { .timeLimit(.minutes(10)) }
}
