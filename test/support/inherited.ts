/** What a process that a test starts gets from the test's own environment: all else is set by the test. */
export const INHERITED = {
  PATH: process.env.PATH,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
}
