/** Origins of web pages: scheme, host and port (RFC 6454), as a browser writes them. */

/** Whether this is exactly what a browser sends as `Origin` of a page over http or https: lowercase, in Punycode, without default port. */
export const isOrigin = (text: string) => /^https?:/.test(text) && URL.parse(text)?.origin === text

/** Hosts of this machine, which are secure also over http (W3C Secure Contexts, section 3.1). */
const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** An origin of a page that this machine serves, on any port. */
export const isLocalOrigin = (text: string) => isOrigin(text) && LOOPBACK_HOSTS.has(new URL(text).hostname)

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

/** Whether a URI, of the grammar of RFC 3986, is of an origin. Its text must begin with it: no parser decides where its host ends. */
export function isUriOf(origin: string, uri: string): boolean {
  const rest = uri.slice(origin.length)
  return uri.startsWith(origin) && (rest === '' || /^[/?#]/.test(rest))
}
