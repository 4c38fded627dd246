@_exported public import APIBaseStubs
