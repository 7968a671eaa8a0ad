/** Variables of GraphQL that cost more than they look. */
import { type Entry, get, graphql, graphqlText, object, words } from './entry.ts'

const COUNT = 'query ($filter: ClaimFilter) { claims(first: 1, filter: $filter) { nodes { claimId } } }'
const ID = `0x${'ab'.repeat(32)}`
const filter = (name: string, value: unknown): Entry =>
  graphql(`variables, ${name}`, COUNT, { filter: value })
const raw = (name: string, variables: string): Entry =>
  graphqlText(`variables, ${name}`, (unique) => `{"query":"${COUNT}#${unique}","variables":${variables}}`)
const list = <Value>(length: number, value: Value): Value[] => Array.from({ length }, () => value)

export const variables: readonly Entry[] = [
  filter(
    '3,000 unknown fields',
    object(3000, (i) => `faceValu_${i}`),
  ),
  filter(
    '200 unknown fields',
    object(200, (i) => `faceValu_${i}`),
  ),
  filter('45,000 wrong entries', { claimId_in: list(45_000, 1) }),
  filter('200 wrong entries', { claimId_in: list(200, 'x'.repeat(400)) }),
  filter('200 right entries', { claimId_in: list(200, ID) }),
  filter('33,000 empty objects', { OR: list(33_000, {}) }),
  filter('200 empty objects', { OR: list(200, {}) }),
  filter('1,700 empty objects in 9 lists', { OR: list(9, { AND: list(190, {}) }) }),
  filter('100 conditions', { OR: list(49, { faceValue_gte: '1' }) }),
  filter('1,400 values in 7 lists', { OR: list(7, { documentHash_in: list(200, ID) }) }),
  filter('an amount of 95,000 digits', { faceValue: '9'.repeat(95_000) }),
  filter('a name of 95,000 characters', { ['a'.repeat(95_000)]: 1 }),
  filter('a state of 95,000 characters', { state: 'A'.repeat(95_000) }),
  filter('95 strings of 1,000 digits', { faceValue_in: list(95, '9'.repeat(1000)) }),
  filter('a time with 950 digits of seconds', { dueDate: `2026-01-01T00:00:00.${'9'.repeat(950)}Z` }),
  raw('filters nested 6,000 deep', `{"filter":${'{"AND":['.repeat(6000)}{}${']}'.repeat(6000)}}`),
  raw('lists nested 48,000 deep', `{"filter":${'['.repeat(48_000)}${']'.repeat(48_000)}}`),
  raw('one list of 48,000', `{"filter":[${'1,'.repeat(48_000)}1]}`),
  raw('JSON that never ends', `{"filter":${'['.repeat(98_000)}`),
  raw('9,000 variables that there are not', JSON.stringify(object(9000, (i) => `v${i}`))),
  raw('a name given 12,000 times', `{${words(12_000, () => '"f":1', ',')}}`),
  raw('names of a prototype', `{"filter":{"__proto__":{"constructor":{"prototype":1}}}}`),
  graphql('variables, 330 that are missing', `query (${words(330, (i) => `$v${i}: Hash!`)}) { __typename }`),
  graphql(
    'variables, 100 that are missing, with 2,000 lines',
    `${'\n'.repeat(1990)}query (${words(100, (i) => `$v${i}: Hash!`)}) { ${words(100, (i) => `claim(claimId: $v${i}) { claimId }`)} }`,
  ),
  graphqlText('an operation name of 95,000 characters', (unique) =>
    JSON.stringify({ query: `{ __typename }#${unique}`, operationName: 'a'.repeat(95_000) }),
  ),
  graphqlText(
    'extensions nested 48,000 deep',
    (unique) =>
      `{"query":"{ __typename }#${unique}","extensions":{"a":${'['.repeat(48_000)}${']'.repeat(48_000)}}}`,
  ),
  graphqlText('9,000 unknown parameters', (unique) =>
    JSON.stringify({ query: `{ __typename }#${unique}`, ...object(9000, (i) => `p${i}`) }),
  ),
  graphqlText('a batch of 10,000', () => `[${words(10_000, () => '{}', ',')}]`),
  get(
    'GraphQL variables nested 700 deep',
    `/graphql?query=${encodeURIComponent(COUNT)}&variables=${encodeURIComponent(`{"filter":${'{"AND":['.repeat(400)}{}${']}'.repeat(400)}}`)}`,
    { Accept: 'application/json' },
  ),
]
