import Testing

/// What starts git, one test after the other: children started at the same moment can inherit each
/// other's pipes, and two cores gain nothing from more.
@Suite(.serialized) struct GitSuite {}
