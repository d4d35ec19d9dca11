/// Which of two updates from the same state counts as the later one when one is rebased over the other.
///
/// It decides where both want the same: at the same gap the insertions of the earlier one stand first, and where
/// both moved or reloaded the same thing the later one has its way. For two replicas to agree, one must rebase as
/// `later` what the other rebases over as `earlier`; who is which is for the application to say (the order in
/// which a server accepted them, or of the replicas' names).
public enum RebaseOrder: Hashable, Sendable {
    /// The update that is rebased counts as later: its insertions stand behind, and its moves win.
    case later
    /// The update that is rebased counts as earlier: its insertions stand first, and its moves give way.
    case earlier
}
