extension BenchmarkOptions {
    static let help = """
        Usage: pipeline-benchmarks [--quick] [--counts] [--filter TEXT]
                                  [--json | --list | --hot-paths]

        Measures what the pipeline costs, each figure against something known in the
        same run, and judges the figures that have a goal. Build it with -c release.

          --quick        fewer repetitions; ends within a minute
          --counts       only what is counted, such as allocations, and not timed: it
                         does not depend on the machine or on what else that does
          --filter TEXT  only benchmarks with TEXT in their names
          --json         one object a line: name, value, unit, spread, reference, ratio,
                         goal, bound ("at most" or "at least") and met; null where a
                         figure has none
          --list         print the names and what they stand for, and measure nothing
          --hot-paths    run some of what is measured once, small, and print the names;
                         .ci/instructions counts the instructions
          -h, --help     print this text

        A value is the median of the repetitions, and its spread half the distance
        between their quartiles. The ratio is the value over its reference, and the
        reference over the value where the goal says "at least". Times on the main lane
        are thread CPU time. The table has as many columns as the terminal has room
        for; a spread and a reference take 100 columns.

        Exit code: 0; 1 if a goal is missed, which a debug build does not judge; 2 for
        bad usage or output that cannot be written.
        """
}
