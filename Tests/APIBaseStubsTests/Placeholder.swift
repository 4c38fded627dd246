import APIBaseStubs
import Testing
