extension Arguments {
    /// What `--help` prints.
    static let help = """
        Usage: git-timelapse [options] [REPO]

        Replays the history of a git repository, oldest commit first and along first
        parents, as change sets of a list: directories are sections, files are items,
        renames are moves. REPO is a repository, bare or not, or a directory in one; by
        default the one that the current directory stands in.

        On a terminal the list is shown while it changes, and follows a resize. What a
        commit did to a file is marked: + added, ~ changed, > moved. Colours only repeat
        that; NO_COLOR in the environment turns them off.

        Options:
          --verify       compare the end with what git lists for the last commit,
                         file by file
          --diff         do not ask git what a commit changed: list its files, and have
                         the pipeline compare them with those of the commit before;
                         what is renamed and not changed moves
          --range        have only what is near to the viewport have a node, and show
                         what is near: see below
          --until REV    end the replay with this revision (default: HEAD)
          --width N      columns of the view, \(widths.lowerBound) to \(widths.upperBound)\
         (default: the terminal's, or 80)
          --height N     rows of the view, \(heights.lowerBound) to \(heights.upperBound)\
         (default: the terminal's, or 24)
          --trace FILE   write what every lane and worker did when to this file, as a
                         trace that ui.perfetto.dev and chrome://tracing open; it
                         ends after some 256 MiB, and says then what it leaves out
          --quiet        show neither the view nor the progress, only the summary
          --json         print the summary as one JSON object, and show no view
          --help, -h     print this help

        With --range the view has a range controller, and scrolls slowly through the
        list, to its end and back, a commit at a time. At the right stands how far the
        ranges around the viewport reach, over some screenfuls of the list:
          #  visible     =  display range     -  preload range
        and beside that which files and directories there have a node:
          o  all     :  some     .  none
        A line below has why ranges reach so far, how many files are in each, and how
        many have a node: what is far away again gives it up.
        The width must be at least \(LiveScreen.leastColumnsWithRanges).

        Exit codes: 0 for success, 1 if --verify found differences, 2 for bad usage, a
        repository that cannot be read, or a trace that cannot be written.

        """
}
