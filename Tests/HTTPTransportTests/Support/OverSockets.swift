import Testing

/// The tests that talk over sockets, one after another: what some of them measure is time, and others take all there is.
@Suite(.serialized) enum OverSockets {}
