import APIBaseTesting
import Testing
