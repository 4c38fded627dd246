public import PortableCombine
public import StrictJSON

/// For the operator `decode(type:decoder:)`.
extension StrictJSONDecoder: TopLevelDecoder {}
