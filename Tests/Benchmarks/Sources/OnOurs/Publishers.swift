import Dispatch
import Harness

#if OPENCOMBINE
@_exported import OpenCombine
import OpenCombineDispatch
@_exported import OpenCombineFoundation

/// `queue`, as the publishers of this module take it.
func scheduler(_ queue: DispatchQueue) -> DispatchQueue.OCombine { queue.ocombine }

/// What only this contender can do.
func linesOfItsOwn() -> [Line] { [] }
#else
@_exported import PortableCombine

/// `queue`, as the publishers of this module take it.
func scheduler(_ queue: DispatchQueue) -> DispatchQueue { queue }

/// What only this contender can do.
func linesOfItsOwn() -> [Line] { [combineLatest()] }
#endif

/// All operators that are compared.
let operatorTable = transforming + recovering + ending + joining + moving + reducing + fanningIn + sharing
