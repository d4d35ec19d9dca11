extension LintOptions {
    static let help = """
        Usage: changeset-lint [--profile NAME] [--check | --explain] [FILE]
               changeset-lint --diff [--sections] [--explain] OLD NEW
               changeset-lint --invert | --compose | --rebase [FILE ...]

        Reads change sets, one JSON object a line, from FILE or standard input, runs
        each through a collection pipeline, and prints what came of it, one JSON object
        a line.

          --profile NAME  whose verdicts: standard (default), strict or texture
          --explain       print the arithmetic and the ordered edits for a person
          --check         compare with the `result` of each line instead, and count
                          agreements, differences that have a name and a reason, and
                          failures
          -h, --help      print this text

        Or prints a scenario, to be read again:

          --diff          the edits that make the lines of NEW of those of OLD, with as
                          few moves as there can be; each line is an item, equal lines
                          are told apart by their occurrence. With --explain a line an
                          edit, with the text of the line
          --sections      a line that begins with '# ' begins a section of that name
          --invert        of each scenario, what takes it back
          --compose       all scenarios in turn as one; each must start where the one
                          before it ends
          --rebase        of two scenarios from the same start, what the second comes to
                          after the first; what is dropped is said on standard error

        FILE, OLD or NEW is - for standard input. The profile says which scenarios are
        valid, and in which a difference is; the first one that is not ends it.

        A line has `oldCounts` and `newCounts`, the number of items of every section
        before and after the update, and `ops`, what was recorded in between:

          {"op":"deleteItems","at":[[SECTION,ITEM],...],"anim":0}
              likewise insertItems, reloadItems, reconfigureItems
          {"op":"deleteSections","at":[SECTION,...],"anim":0}
              likewise insertSections, reloadSections, reconfigureSections
          {"op":"moveItem","from":[SECTION,ITEM],"to":[SECTION,ITEM],"anim":0}
          {"op":"moveSection","from":SECTION,"to":SECTION,"anim":0}
          {"op":"reloadSupplementaries","kind":"header","at":[SECTION,...],"anim":0}
          {"op":"reloadData"}

        `anim` may be missing. Inserts, the targets of moves and reloadSupplementaries
        use indexes after the update, everything else those before it. A scenario may
        have up to 1048576 sections and items, before and after.

        A valid result has the edits in the order in which they are applied, the index
        mappings (-1 for none), the requests for content (cS: context of a section,
        bS.I: node of an item), and the sections and items afterwards (sN and oS.I: old
        ones, tK and nK: the K-th asked for). Moves are listed as deletes and inserts,
        and again as `moveItems`, `moveSections`. An invalid one has a code and a
        message, with UIKit's text (in texture: Texture's).

        With --check, fields that a recorded result leaves out are not compared. In
        standard and strict, a result may also be the original's: where that is what
        texture answers, the difference is named after the rule that makes it.

        Exit code: 0, also where scenarios that are run are invalid; 1 if a check
        failed; 2 for bad usage or input that cannot be read or calculated with.
        """
}
