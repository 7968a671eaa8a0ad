/**
 * Makes Ponder and its Yoga use one copy of graphql: the project has another version than the one that Ponder brings,
 * Ponder's loader takes its ES modules, and graphql refuses a schema of another copy.
 */
import { registerHooks } from 'node:module'

const url = import.meta.resolve('../../../node_modules/graphql/index.js')

registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context)
    return /\/node_modules\/graphql\/index\.m?js$/.test(resolved.url) ? { url, shortCircuit: true } : resolved
  },
})
