import type { PlantedFault } from '../fault.ts'

export const restFaults: readonly PlantedFault[] = [
  {
    name: 'a wallet prepares attestations in the name of any other issuer',
    in: 'attestations',
    find: 'const issuer = requireSession(c).wallet',
    replace: 'const issuer = named ?? requireSession(c).wallet',
  },
  {
    name: 'all client addresses share the limit of one on sign-ins by contract',
    in: 'limitContractSignIns',
    find: `key: \`address \${client}\``,
    replace: "key: 'address'",
  },
  {
    name: 'a claim is matured only if it was due when it last changed',
    in: 'matured',
    find: `('dueAt')} <= \${claim.now}\``,
    replace: `('dueAt')} <= \${claim.column('changedAt')}\``,
  },
  {
    name: 'an export has text that begins with a minus, which a spreadsheet executes',
    in: 'FORMULA',
    find: '[=+\\-@',
    replace: '[=+@',
  },
  {
    name: 'a HEAD request for an export keeps its snapshot and its place',
    in: 'exports',
    find: "await lines.return() return c.body('', 200, headers)",
    replace: "return c.body('', 200, headers)",
  },
  {
    name: 'readiness that failed once is never checked again',
    in: 'shared',
    find: 'latest = work().finally(() => { isRunning = false })',
    replace: 'latest = work().then((result) => {\nisRunning = false\nreturn result\n})',
  },
  {
    name: 'an issue of a wallet that has nothing does not state what it has',
    in: 'presentIssue',
    find: '...(have !== undefined && { have: formatMoney(have) })',
    replace: '...(have && { have: formatMoney(have) })',
  },
  {
    name: 'a request for a block that is not final yet uses its route up',
    in: 'routes',
    find: 'await reachFinalBlock(c) const prepared',
    replace: 'const prepared',
  },
  {
    name: 'the list of inactive vaults has the active ones',
    in: 'vaults',
    find: "active: active === 'true'",
    replace: 'active: true',
  },
  {
    name: 'a page of no rows can be asked for',
    in: 'limitInput',
    find: 'limit >= 1 && limit <= PAGE_LIMIT_MAX',
    replace: 'limit >= 0 && limit <= PAGE_LIMIT_MAX',
  },
  {
    name: 'requests that the guard refuses count against no rate limit',
    in: 'requestMiddleware',
    find: '.use(rateLimit(deps)).use(guard())',
    replace: '.use(guard()).use(rateLimit(deps))',
  },
  {
    name: 'a request that waited is read though answers to its client are unread',
    in: 'unreadAnswers',
    find: 'await next({ requireRead })',
    replace: 'await next({ requireRead: () => {} })',
  },
  {
    name: 'a client has the same time to read an answer of any size',
    in: 'closeSlow',
    find: 'now + graceMs + (1000 * answer.writableLength) / bytesPerSecond',
    replace: 'now + graceMs',
  },
  {
    name: 'a route without parameters ignores those of a query',
    in: 'defineRoute',
    find: 'hasNoQuery: route.request?.query === undefined',
    replace: 'hasNoQuery: false',
  },
  {
    name: 'lines of the log that wait are lost when the process exits',
    in: 'standardOutput',
    find: "process.on('exit', flush)",
    replace: "process.on('beforeExit', flush)",
  },
  {
    name: 'a connection counts as idle while its request is answered',
    in: 'isAnswering',
    find: '!answer.writableEnded',
    replace: 'answer.writableEnded',
  },
  {
    name: 'the last answer of a connection is the one whose reading is limited',
    in: 'closeSlow',
    find: 'const answer = answerOf(connection)',
    replace: 'const answer = connection.answers.at(-1)',
  },
  {
    name: 'a gateway without NODE_ENV runs as in development',
    in: 'server',
    find: "oneOf(nodeEnvs).default('production')",
    replace: "oneOf(nodeEnvs).default('development')",
  },
]
