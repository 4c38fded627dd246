import Dispatch
import Harness
@_exported import PortableCombine

/// `queue`, as the publishers of this module take it.
func scheduler(_ queue: DispatchQueue) -> DispatchQueue { queue }

/// What only this contender can do.
func linesOfItsOwn() -> [Line] { [combineLatest()] }

/// All operators that are compared.
let operatorTable = transforming + recovering + ending + joining + moving + reducing + fanningIn + sharing
