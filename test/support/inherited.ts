/** Variables that a process of a test inherits from the environment of the test, which sets all others itself. */
export const INHERITED = {
  PATH: process.env.PATH,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
}
