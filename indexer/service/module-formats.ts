/**
 * Preloaded by Ponder: resolves imports without the `package.json` of their package. Node parses that file again for
 * each module, to learn its format. The one of drizzle-orm is long, and viem has many modules.
 */
import { type ResolveHookSync, registerHooks } from 'node:module'

/** Packages, or their folders, whose `.js` files are ES modules. */
export const ES_MODULES = ['drizzle-orm', 'viem/_esm']

const found = new Map<string, ReturnType<ResolveHookSync>>()

export const resolve: ResolveHookSync = (specifier, context, nextResolve) => {
  const { parentURL = '' } = context
  if (/^\.\.?\/.*\.js$/.test(specifier) && isOfEsModules(parentURL)) {
    return { url: new URL(specifier, parentURL).href, format: 'module', shortCircuit: true }
  }
  // One version is installed, so all importers get the same module.
  if (!/^drizzle-orm(\/|$)/.test(specifier)) return nextResolve(specifier, context)
  const known = found.get(specifier) ?? { ...nextResolve(specifier, context), shortCircuit: true }
  found.set(specifier, known)
  return known
}

function isOfEsModules(url: string): boolean {
  return ES_MODULES.some((folder) => url.includes(`/node_modules/${folder}/`))
}

registerHooks({ resolve })
