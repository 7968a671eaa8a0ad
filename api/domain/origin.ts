/** Origins of web pages: those of this machine, and those of lists. */
import { isLocalOrigin, isOrigin } from '../../settings/origin.ts'

/** An origin over http that is another machine's. */
export const isInsecureOrigin = (text: string) =>
  isOrigin(text) && text.startsWith('http:') && !isLocalOrigin(text)

/** The origins of some pages. */
export type Origins = {
  readonly listed: readonly string[]
  /** Whether every page that this machine serves is one of them, as in development. */
  readonly local: boolean
}

export const includesOrigin = ({ listed, local }: Origins, origin: string) =>
  listed.includes(origin) || (local && isLocalOrigin(origin))

/**
 * Whether a URI, of the grammar of RFC 3986, is of an origin. Its text must begin with it: no parser decides where its
 * host ends.
 */
export function isUriOf(origin: string, uri: string): boolean {
  const rest = uri.slice(origin.length)
  return uri.startsWith(origin) && (rest === '' || /^[/?#]/.test(rest))
}
