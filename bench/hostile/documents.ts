/** Documents of GraphQL that cost more than they look. */
import { getIntrospectionQuery } from 'graphql'
import { type Entry, graphql, graphqlText, words } from './entry.ts'

const spread = (count: number, of: (i: number) => string) =>
  words(count, (i) => `fragment f${i} on Claim { ${of(i)} }`)
const rows = (selection: string) => `{ claims(first: 1) { nodes { ${selection} } } }`
const TYPE =
  'name kind description fields { name description args { name type { name kind ofType { name } } } type { name kind ofType { name kind ofType { name } } } } inputFields { name type { name } } enumValues { name }'

const ID = (i: number) => `0x${i.toString(16).padStart(64, '0')}`
/** Lists of the beneficiary of each claim, each under several aliases. */
const ofEach = (rows: number, aliases: number, args: string) =>
  ['nodes { beneficiary { ...L } }', 'edges { node { beneficiary { ...L } } }']
    .join(' ')
    .replace(
      /^(.*)$/,
      `claims(first: ${rows}) { $1 } } fragment L on Account { ${words(aliases, (i) => `a${i}: claims(first: 1${args}) { __typename }`)}`,
    )
const wrongCursors = (aliases: number) =>
  words(
    aliases,
    (i) => `a${i}: claims(first: 200) { nodes { beneficiary { claims(after: "!") { __typename } } } }`,
  )

export const documents: readonly Entry[] = [
  graphql('1,990 fields of one name', `{ ${'__typename '.repeat(1990)} }`),
  graphql('1,990 fields of different names', `{ ${words(1990, (i) => `claimz${i}`)} }`),
  graphql('180 times the same list', `{ ${'claims(first: 1) { totalCount } '.repeat(180)} }`),
  graphql(
    '180 times the same list with a long cursor',
    `{ ${`claims(after: "${'x'.repeat(480)}") { totalCount } `.repeat(180)} }`,
  ),
  graphql(
    '150 lists in a list',
    `{ claims { ${'nodes { allocations { nodes { faceAmount faceAmount } } } '.repeat(120)} } }`,
  ),
  graphql('600 conflicts', rows('a: state a: claimId '.repeat(14) + 'state: claimId state '.repeat(250))),
  graphql(
    '600 conflicts after 1,990 lines',
    `${'\n'.repeat(1990)}${rows('a: state a: claimId '.repeat(14) + 'state: claimId state '.repeat(250))}`,
  ),
  graphqlText('600 conflicts after 45,000 lines', (unique) =>
    JSON.stringify({ query: `${'\n'.repeat(45_000)}${rows('a: state a: claimId '.repeat(14))}#${unique}` }),
  ),
  graphql('400 unknown types', `query (${words(390, (i) => `$a${i}: ClaimFiltez${i}`)}) { __typename }`),
  graphql(
    '600 unknown filter fields',
    `{ claims(filter: { ${words(600, (i) => `faceValuez_${i}: 1`)} }) { totalCount } }`,
  ),
  graphql('1,900 wrong entries', `{ claims(filter: { claimId_in: [${'1 '.repeat(1900)}] }) { totalCount } }`),
  graphql('1,000 empty objects', `{ claims(filter: { OR: [${'{}'.repeat(900)}] }) { totalCount } }`),
  graphql(
    'filters nested 300 deep',
    `{ claims(filter: ${'{ AND: ['.repeat(300)}${'] }'.repeat(300)}) { totalCount } }`,
  ),
  graphql('lists nested 900 deep', `{ claims(filter: ${'['.repeat(900)}${']'.repeat(900)}) { totalCount } }`),
  graphql('a type nested 900 deep', `query ($a: ${'['.repeat(900)}Int${']'.repeat(900)}) { __typename }`),
  graphql('fields nested 600 deep', `${'{ claims '.repeat(600)}${'}'.repeat(600)}`),
  graphql(
    'a cycle of 130 fragments',
    `${rows('...f0')} ${spread(130, (i) => `claimId ...f${(i + 1) % 130}`)}`,
  ),
  graphql(
    '150 fragments in several cycles',
    `${rows('...f0')} ${spread(150, (i) => `...f${(i + 1) % 150} ...f${(i * 7) % 150}`)}`,
  ),
  graphql(
    '30 fragments that all spread all',
    `${rows('...f0')} ${spread(30, () => words(30, (i) => `...f${i}`))}`,
  ),
  graphql(
    'fragments that double 120 times',
    `${rows('...f0')} ${spread(120, (i) => (i === 119 ? 'claimId' : `...f${i + 1} ...f${i + 1}`))}`,
  ),
  graphql(
    '40 fragments that spread all after them',
    `${rows(words(40, (i) => `...f${i}`))} ${spread(40, (i) => `claimId ${words(39 - i, (j) => `...f${i + j + 1}`)}`)}`,
  ),
  graphql(
    '20 fragments in 40 equal fields',
    `{ claims(first: 1) { ${`nodes { ${words(20, (i) => `...f${i}`)} } `.repeat(40)} } } ${spread(20, () => 'claimId state')}`,
  ),
  graphql(
    '60 fragments in 11 equal fields',
    `{ claims(first: 1) { ${`nodes { ${words(60, (i) => `...f${i}`)} } `.repeat(11)} } } ${spread(60, () => 'claimId state')}`,
  ),
  graphql(
    '150 operations over 100 fragments',
    `${words(150, (i) => `query Q${i} { ...g0 }`)} ${words(100, (i) => `fragment g${i} on Query { ...g${i + 1} }`)} fragment g100 on Query { __typename }`,
  ),
  graphql('600 operations without a name', '{ __typename }'.repeat(490)),
  graphql(
    '100 operations with undefined variables',
    `${words(100, (i) => `query Q${i} { ...g }`)} fragment g on Query { ${words(110, (i) => `claim(claimId: $v${i}) { id }`)} }`,
  ),
  graphql('280 directives', rows(`claimId ${'@include(if: true) '.repeat(280)}`)),
  graphql('280 unknown directives', rows(`claimId ${'@inclode(if: true) '.repeat(280)}`)),
  graphqlText('49,000 comments', (unique) =>
    JSON.stringify({ query: `${'#'.repeat(90_000)}\n{ __typename }#${unique}` }),
  ),
  graphqlText('a block string of 49,000 lines', (unique) =>
    JSON.stringify({ query: `{ claims(after: """${'\n'.repeat(48_000)}""") { totalCount } }#${unique}` }),
  ),
  graphql('a block string of 90,000 spaces', `{ claims(after: """${' '.repeat(90_000)}""") { totalCount } }`),
  graphql('a string of 10,000 escapes', `{ claims(after: "${'\\u{1F600}'.repeat(9000)}") { totalCount } }`),
  graphql('a number of 95,000 digits', `{ claims(first: ${'9'.repeat(95_000)}) { totalCount } }`),
  graphql(
    'an amount of 95,000 digits',
    `{ claims(filter: { faceValue: "${'9'.repeat(95_000)}" }) { totalCount } }`,
  ),
  graphql(
    'a time of 95,000 digits',
    `{ claims(filter: { dueDate: "2026-01-01T00:00:00.${'9'.repeat(95_000)}Z" }) { nodes { claimId } } }`,
  ),
  graphql('a name of 95,000 characters', `{ ${'a'.repeat(95_000)} }`),
  graphql(
    'an enum of 95,000 characters',
    `{ claims(filter: { state: ${'A'.repeat(95_000)} }) { totalCount } }`,
  ),
  graphql('a global id of 95,000 characters', `{ node(id: "${'Q'.repeat(95_000)}") { id } }`),
  graphql('the standard introspection', getIntrospectionQuery()),
  graphql('12 schemas', `{ ${words(12, (i) => `a${i}: __schema { types { ${TYPE} } }`)} }`),
  graphql(
    '29 times the types',
    `{ __schema { ${words(29, (i) => `a${i}: types { ...t }`)} } } fragment t on __Type { ${TYPE} }`,
  ),
  graphql(
    'types of fields of types',
    `{ __schema { types { fields { type { ...t ofType { ...t } } } } } } fragment t on __Type { fields { name type { name kind ofType { name kind } } } }`,
  ),
  graphql(
    '12 root fields in fragments',
    `{ ...f } fragment f on Query { ${words(12, (i) => `a${i}: claims(first: 1, filter: { faceValue_gte: "${i}" }) { nodes { claimId } }`)} }`,
  ),
  graphql(
    '30 root fields in fragments',
    `{ ... { ${words(30, (i) => `a${i}: claims(first: 1) { nodes { claimId } }`)} } }`,
  ),
  graphql(
    'a page of 200 rows, 60 fields',
    `{ claims(first: 200) { edges { cursor node { id claimId state faceValue financedFaceValue remainingFace dueDate claimType registeredAt matured issuer { id address } beneficiary { id address } } } } }`,
  ),
  graphql('a page for each of 4,700 rows', `{ ${ofEach(155, 15, '')} }`),
  graphql(
    'a page with the largest filter for each of 30 rows',
    `query ($f: ClaimFilter) { ${ofEach(15, 1, ', filter: $f')} }`,
    {
      f: {
        claimId_in: Array.from({ length: 200 }, (_, i) => ID(i)),
        faceValue_in: Array.from({ length: 200 }, (_, i) => `${i}`),
      },
    },
  ),
  graphql('1,200 wrong cursors', `{ ${wrongCursors(6)} }`),
  graphql('1,200 wrong cursors after 190 lines', `${'\n'.repeat(190)}{ ${wrongCursors(6)} }`),
  graphql(
    'an alias of 3,000 characters',
    `{ claims(first: 200) { nodes { ${'a'.repeat(3000)}: claimId } } }`,
  ),
  graphql(
    'a subscription without its field',
    'subscription { claim(claimId: "0x00") @skip(if: true) { state } }',
  ),
]
