/** Origins of web pages: scheme, host and port (RFC 6454), as a browser writes them. */

/**
 * Whether this is exactly what a browser sends as `Origin` of a page over http or https: lowercase, in Punycode,
 * without default port.
 */
export const isOrigin = (text: string) => /^https?:/.test(text) && URL.parse(text)?.origin === text

/** Hosts of this machine, which are secure also over http (W3C Secure Contexts, section 3.1). */
const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** An origin of a page that this machine serves, on any port. */
export const isLocalOrigin = (text: string) => isOrigin(text) && LOOPBACK_HOSTS.has(new URL(text).hostname)
