import type { PlantedFault } from '../fault.ts'

export const oneStatementFaults: readonly PlantedFault[] = [
  {
    name: 'the end cursor of a page of one statement is that of the row after it',
    in: 'toPageObject',
    find: `= least(\${sql.raw(\`\${row}.\${ALL}\`)}, \${sql.lit(limit)}))`,
    replace: `= \${sql.raw(\`\${row}.\${ALL}\`)})`,
  },
  {
    name: 'the last items of a list are in the order they are read in',
    in: 'toPageObject',
    find: 'toItems(item, listOrder, isKept)',
    replace: 'toItems(item, order, isKept)',
  },
  {
    name: 'a page without its information has the item after it',
    in: 'toPageObject',
    find: 'hasInfo ? numbered : rows(limit)',
    replace: 'hasInfo ? numbered : rows(limit + 1)',
  },
  {
    name: 'what can be null is read as if it could not',
    in: 'canBeNull',
    find: '!isNonNullType(type) || extensions.read !== undefined',
    replace: 'extensions.read !== undefined',
  },
  {
    name: 'a time that is null is the last time there is',
    in: 'atMost',
    find: `case when \${value} > \${sql.raw(maximum)} then \${sql.raw(maximum)} else \${value} end`,
    replace: `least(\${value}, \${sql.raw(maximum)})`,
  },
  {
    name: 'a row that is missing is null where the schema requires one',
    in: 'orFail',
    find: `coalesce(\${toText(value)}, (\${failure})::int4::text)`,
    replace: `coalesce(\${toText(value)}, 'null')`,
  },
  {
    name: 'a statement with a filter keeps the plan of other values',
    in: 'toListed',
    find: 'hasOnePlan: () => filter === undefined || (!parent && isOneParent(source, filter))',
    replace: 'hasOnePlan: () => true',
  },
  {
    name: 'a connection prepares statements without end',
    in: 'createStatementReader',
    find: 'client.release(isFull)',
    replace: 'client.release()',
  },
  {
    name: 'groups of a rollup show the amount of another column',
    in: 'groupRollup',
    find: "measure('sum', column, sumOf(amount))",
    replace: "measure('sum', rollup.count, sumOf(amount))",
  },
  {
    name: 'an address in a document is taken for that of a variable',
    in: 'MARK',
    find: "randomBytes(MARK_DIGITS / 2).toString('hex')",
    replace: "'0'.padStart(MARK_DIGITS, 'f')",
  },
  {
    name: 'requests of one document share the conditions of the first',
    in: 'toShape',
    find: 'const key = writeKey([operationName, template.variables])',
    replace: 'const key = writeKey([operationName, Object.keys(template.variables)])',
    caughtBy: ['one-statement'],
  },
  {
    name: 'a request is answered with the addresses of the first that had its shape',
    in: 'createPlanner',
    find: 'gateway, variables: template.variables',
    replace: 'gateway',
  },
  {
    name: 'a wallet with any number of claims is counted in one statement',
    in: 'whereAtMost',
    find: `case when \${others} then`,
    replace: `case when \${others} and false then`,
  },
  {
    name: 'a wallet with more claims than are counted has as many as are',
    in: 'countAtMost',
    find: `case when \${isWide} then`,
    replace: `case when \${isWide} and false then`,
    caughtBy: ['one-statement'],
  },
  {
    name: 'a full page has always a next one',
    in: 'toPageObject',
    area: 'api/projection',
    find: `sql\`count(*) > \${sql.lit(limit)}\``,
    replace: `sql\`count(*) >= \${sql.lit(limit)}\``,
    caughtBy: ['plan'],
  },
]
