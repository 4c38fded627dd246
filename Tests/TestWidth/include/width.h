#ifndef WIDTH_H
#define WIDTH_H

// Linked to the tests, this has Swift Testing run at most twelve at a time. By default it starts all of them at once: then a
// test may wait for its next turn for a minute, which is as long as its suite may take. Swift 6.2 does not know the variable:
// there, `swift test --no-parallel` does it.

#endif
