/// The scope and the task locals of the code that asked for a list of pages. They hold for all of its calls.
struct PageOrigin {
    private let scope = CallScope.current
    private let context = CallerContext()

    /// Runs `body` there, for a page of a request object: `nil` for the first one.
    func run<Value>(for page: NextPage?, of object: APIBase, _ body: () -> Value) -> Value {
        context.run {
            CallLocals.with(CurrentPage.self, page.map { PageTarget($0, of: object) }) {
                guard let scope else { return body() }
                return scope.run(body)
            }
        }
    }
}
