/// What the command says of itself.
enum Help {
    static let version = "apibase 0.1.0"

    static let text = """
        apibase calls four web APIs through APIBaseKit.

        USAGE
          apibase [demo]             start a demo server, call every API on it, and report
          apibase serve              run the demo server until it is stopped
          apibase users [ID]         JSONPlaceholder: all users, or one
          apibase posts              JSONPlaceholder: all posts
          apibase photos             Unsplash: a page of photos
          apibase apps               Apple RSS: the free apps people get most
          apibase todos [list | add TITLE | delete ID]
                                     the todo API of the demo server
          apibase record --out FILE [COMMAND]
                                     make the calls of a command (of the demo, if there is none)
                                     and write down what was said, in the format HAR, without secrets

        WHERE CALLS GO
          (nothing)                  to a demo server that runs for this one call
          --live                     to the API's real host; for todos, localhost:8080
          --base-url URL             to any other server, with the path below which the API lies:
                                     http://localhost:8080/jsonplaceholder, …/unsplash, …/rss/api/v2
          --replay FILE              nowhere: FILE answers what it was recorded for, for the demo as well.
                                     What was recorded with --live or --base-url is replayed with it, too

        OPTIONS
          --json                     print JSON
          --host HOST --port PORT    serve: where to listen (127.0.0.1, 8080; port 0 is any free one)
          --user ID                  posts: only those of one user
          --search TEXT              photos: only those a search finds
          --page N --per-page N      photos: which page (1, 10)
          --country CC --count N     apps: which store and how many (us, 10)
          --email E --password P     todos: who logs in; --sign-up creates the account first.
                                     Without them, an account is made for this one call
          --help, --version

        ENVIRONMENT
          UNSPLASH_ACCESS_KEY        the key for photos on the real host

        Exits with 0 if all went well, 1 if a request failed, 2 if the arguments are wrong.
        """
}
