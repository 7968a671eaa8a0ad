import type { PlantedFault } from '../fault.ts'

export const restFaults: readonly PlantedFault[] = [
  {
    name: 'a wallet prepares attestations in the name of any other issuer',
    file: 'api/rest/attestations.ts',
    caughtBy: ['test/flow/registration.test.ts', 'test/flow/registration-refusals.test.ts'],
    find: 'const issuer = requireSession(c).wallet',
    replace: 'const issuer = named ?? requireSession(c).wallet',
  },
  {
    name: 'all client addresses share the limit of one on sign-ins by contract',
    file: 'api/rest/auth.ts',
    caughtBy: ['test/auth/contract-sign-in.test.ts'],
    find: `key: \`address \${client}\``,
    replace: "key: 'address'",
  },
  {
    name: 'a claim is matured only if it was due when it last changed',
    file: 'api/rest/claims.ts',
    find: '...presentClaim(read.claim, read.finalizedThrough.timestamp)',
    replace: '...presentClaim(read.claim, read.claim.changedAt)',
  },
  {
    name: 'an export has text that begins with a minus, which a spreadsheet executes',
    file: 'api/rest/csv.ts',
    find: '[=+\\-@',
    replace: '[=+@',
  },
  {
    name: 'a HEAD request for an export keeps its snapshot and its place',
    file: 'api/rest/exports.ts',
    find: "        await lines.return()\n        return c.body('', 200, headers)",
    replace: "        return c.body('', 200, headers)",
  },
  {
    name: 'readiness that failed once is never checked again',
    file: 'api/rest/health.ts',
    caughtBy: ['test/rest/readiness.test.ts'],
    find: '    latest = work().finally(() => {\n      isRunning = false\n    })',
    replace: '    latest = work().then((result) => {\n      isRunning = false\n      return result\n    })',
  },
  {
    name: 'an issue of a wallet that has nothing does not state what it has',
    file: 'api/rest/prepare-wire.ts',
    caughtBy: [
      'test/flow/financing-refusals.test.ts',
      'test/flow/settlement-refusals.test.ts',
      'test/flow/settlement.test.ts',
    ],
    find: '...(have !== undefined && { have: formatMoney(have) })',
    replace: '...(have && { have: formatMoney(have) })',
  },
  {
    name: 'a request for a block that is not final yet uses its route up',
    file: 'api/rest/routes.ts',
    caughtBy: ['test/flow/prepare-at-block.test.ts'],
    find: '      // A block that is not final yet must not cost the route.\n      await reachFinalBlock(c)\n      const answer',
    replace: '      const answer',
  },
  {
    name: 'the list of inactive vaults has the active ones',
    file: 'api/rest/vaults.ts',
    find: "value: active === 'true' }",
    replace: 'value: true }',
  },
  {
    name: 'a page of no rows can be asked for',
    file: 'api/rest/wire.ts',
    find: 'limit >= 1 && limit <= PAGE_LIMIT_MAX',
    replace: 'limit >= 0 && limit <= PAGE_LIMIT_MAX',
  },
  {
    name: 'requests that the guard refuses count against no rate limit',
    file: 'api/app.ts',
    caughtBy: ['test/middleware/rate-limit.test.ts'],
    find: '  app.use(rateLimit(deps))\n  app.use(guard(PUBLIC_ROUTES))',
    replace: '  app.use(guard(PUBLIC_ROUTES))\n  app.use(rateLimit(deps))',
  },
  {
    name: 'a gateway without NODE_ENV runs as in development',
    file: 'api/config.ts',
    find: "NODE_ENV: oneOf(nodeEnvs).default('production')",
    replace: "NODE_ENV: oneOf(nodeEnvs).default('development')",
  },
]
