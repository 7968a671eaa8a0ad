import { secureHeaders } from 'hono/secure-headers'

const ONE_YEAR_SECONDS = 31_536_000

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
