const ONE_YEAR_SECONDS = 31_536_000

/**
 * Headers that restrict what a browser does with our answers (OWASP REST Security Cheat Sheet): those of `hono/secure-headers`, which sets
 * them one by one on a finished answer.
 */
export const SECURITY_HEADERS = {
  // For answers that no browser should show as a page; the pages we serve bring a policy of their own.
  'Content-Security-Policy':
    "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  // Browsers of other origins may read where CORS lets them; this is about embedding without asking.
  'Cross-Origin-Resource-Policy': 'same-site',
  'Origin-Agent-Cluster': '?1',
  'Referrer-Policy': 'no-referrer',
  'Strict-Transport-Security': `max-age=${ONE_YEAR_SECONDS}; includeSubDomains`,
  'X-Content-Type-Options': 'nosniff',
  'X-DNS-Prefetch-Control': 'off',
  'X-Download-Options': 'noopen',
  'X-Frame-Options': 'DENY',
  'X-Permitted-Cross-Domain-Policies': 'none',
  'X-XSS-Protection': '0',
}
