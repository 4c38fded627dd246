import Harness

/// All lines of this contender.
public func lines() -> [Line] {
    requestLines() + sequenceLines() + subjectLines() + fanInLines() + [zip()] + linesOfItsOwn()
}
