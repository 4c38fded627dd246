@_exported public import APIBaseKit
