import { secureHeaders } from 'hono/secure-headers'

const ONE_YEAR_SECONDS = 31_536_000

/**
 * Makes the `Content-Security-Policy` of a page, which may load only what its own directives allow.
 *
 * @example
 * pagePolicy("script-src 'self'", 'img-src data:')
 */
export function pagePolicy(...directives: readonly string[]): string {
  const none = ['default-src', 'base-uri', 'form-action', 'frame-ancestors'].map((name) => `${name} 'none'`)
  return [...none, ...directives].join('; ')
}

/**
 * Sets headers that restrict what a browser does with our answers (OWASP REST Security Cheat Sheet), on answers that
 * have none of their own: pages have other policies.
 *
 * @example
 * startChain().use(securityHeaders())
 */
export const securityHeaders = () =>
  secureHeaders({
    overwrite: false,
    // For answers that no browser should show as a page.
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      frameAncestors: ["'none'"],
      baseUri: ["'none'"],
      formAction: ["'none'"],
    },
    // Browsers of other origins may read where CORS lets them; this is about embedding without asking.
    crossOriginResourcePolicy: 'same-site',
    strictTransportSecurity: `max-age=${ONE_YEAR_SECONDS}; includeSubDomains`,
    xFrameOptions: 'DENY',
  })
