@_exported public import APIBaseCore
