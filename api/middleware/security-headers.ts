import { createMiddleware } from 'hono/factory'
import { secureHeaders } from 'hono/secure-headers'

/** For answers that no browser should show as a page; the pages we serve bring a policy of their own. */
const NOTHING_RUNS = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

const ONE_YEAR_SECONDS = 31_536_000

/** Headers that restrict what a browser does with our responses (OWASP REST Security Cheat Sheet). */
export const securityHeaders = () => {
  const common = secureHeaders({
    // Browsers of other origins may read where CORS lets them; this is about embedding without asking.
    crossOriginResourcePolicy: 'same-site',
    referrerPolicy: 'no-referrer',
    strictTransportSecurity: `max-age=${ONE_YEAR_SECONDS}; includeSubDomains`,
    xFrameOptions: 'DENY',
  })
  return createMiddleware(async (c, next) => {
    await common(c, next)
    const { headers } = c.res
    if (!headers.has('Content-Security-Policy')) headers.set('Content-Security-Policy', NOTHING_RUNS)
  })
}
