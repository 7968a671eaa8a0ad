/** Settings of every property test. Without them, a list has at most ten items, whatever maximum a test states. */
import fc from 'fast-check'

fc.configureGlobal({ defaultSizeToMaxWhenMaxSpecified: true })
