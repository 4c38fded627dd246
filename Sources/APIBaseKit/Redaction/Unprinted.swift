/// A value that `dump` does not show, because there may be secrets in it.
struct Unprinted<Value>: CustomReflectable {
    var value: Value

    var customMirror: Mirror { Mirror(self, children: []) }
}
