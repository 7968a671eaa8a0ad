/** Origins of web pages: those of this machine, and those of lists. */
import { isLocalOrigin, isOrigin } from '../../settings/origin.ts'

/** Matches an origin over http of another machine. */
export const isInsecureOrigin = (text: string) =>
  isOrigin(text) && text.startsWith('http:') && !isLocalOrigin(text)

/** The origins of some pages. */
export type Origins = {
  readonly listed: readonly string[]
  /** Whether all pages of this machine belong to them, as in development. */
  readonly local: boolean
}

export const includesOrigin = ({ listed, local }: Origins, origin: string) =>
  listed.includes(origin) || (local && isLocalOrigin(origin))

/**
 * Whether a URI (RFC 3986) belongs to an origin. The text of the URI must begin with the origin, so that no parser
 * decides where the host ends.
 */
export function isUriOf(origin: string, uri: string): boolean {
  const rest = uri.slice(origin.length)
  return uri.startsWith(origin) && (rest === '' || /^[/?#]/.test(rest))
}
