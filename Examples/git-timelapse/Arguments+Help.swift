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
          --until REV    end the replay with this revision (default: HEAD)
          --width N      columns of the view, \(widths.lowerBound) to \(widths.upperBound)\
         (default: the terminal's, or 80)
          --height N     rows of the view, \(heights.lowerBound) to \(heights.upperBound)\
         (default: the terminal's, or 24)
          --quiet        show neither the view nor the progress, only the summary
          --json         print the summary as one JSON object, and show no view
          --help, -h     print this help

        Exit codes: 0 for success, 1 if --verify found differences, 2 for bad usage or a
        repository that cannot be read.

        """
}
