import type { PlantedFault } from '../fault.ts'

const SAME = ['test/graphql/one-statement.test.ts']
const MADE = ['test/database/one-statement.test.ts']

export const oneStatementFaults: readonly PlantedFault[] = [
  {
    name: 'the end cursor of a page of one statement is that of the row after it',
    file: 'api/projection/page-json.ts',
    caughtBy: SAME,
    find: `= least(\${sql.raw(\`\${row}.\${ALL}\`)}, \${sql.lit(limit)}))`,
    replace: `= \${sql.raw(\`\${row}.\${ALL}\`)})`,
  },
  {
    name: 'the last items of a list are in the order they are read in',
    file: 'api/projection/page-json.ts',
    caughtBy: SAME,
    find: 'toItems(toObject(item), listOrder, isKept)',
    replace: 'toItems(toObject(item), order, isKept)',
  },
  {
    name: 'a page without its information has the item after it',
    file: 'api/projection/page-json.ts',
    caughtBy: SAME,
    find: 'hasInfo ? numbered : rows(limit)',
    replace: 'hasInfo ? numbered : rows(limit + 1)',
  },
  {
    name: 'what can be null is read as if it could not',
    file: 'api/graphql/compile/fields.ts',
    caughtBy: SAME,
    find: 'return !isNonNullType(type) || extensions.read !== undefined',
    replace: 'return extensions.read !== undefined',
  },
  {
    name: 'a time that is null is the last time there is',
    file: 'api/projection/json.ts',
    caughtBy: MADE,
    find: `case when \${value} > \${sql.raw(maximum)} then \${sql.raw(maximum)} else \${value} end`,
    replace: `least(\${value}, \${sql.raw(maximum)})`,
  },
  {
    name: 'a row that is missing is null where the schema requires one',
    file: 'api/projection/json.ts',
    caughtBy: MADE,
    find: `coalesce(\${toText(value)}, ('nothing at ' || \${key})::json::text)`,
    replace: `coalesce(\${toText(value)}, 'null')`,
  },
  {
    name: 'a statement with a filter keeps the plan of other values',
    file: 'api/graphql/compile/connection.ts',
    caughtBy: MADE,
    find: 'if (!hasOnePlan) walk.dependOnValues()',
    replace: 'if (!hasFilter) walk.dependOnValues()',
  },
  {
    name: 'a connection prepares statements without end',
    file: 'api/projection/read-statement.ts',
    caughtBy: MADE,
    find: 'client.release(isFull)',
    replace: 'client.release()',
  },
  {
    name: 'groups of a rollup show the amount of another column',
    file: 'api/graphql/schema/aggregate.ts',
    caughtBy: SAME,
    find: "group.column(name === 'sum' ? sumOf(amount) : name)",
    replace: "group.column(name === 'sum' ? 'count' : name)",
  },
  {
    name: 'an address in a document is taken for that of a variable',
    file: 'api/graphql/template.ts',
    caughtBy: SAME,
    find: "randomBytes(MARK_DIGITS / 2).toString('hex')",
    replace: "'0'.padStart(MARK_DIGITS, 'f')",
  },
  {
    name: 'requests of one document share the conditions of the first',
    file: 'api/graphql/shape.ts',
    caughtBy: SAME,
    find: 'const key = writeKey([operationName, template.variables])',
    replace: 'const key = writeKey([operationName, Object.keys(template.variables)])',
  },
  {
    name: 'a request is answered with the addresses of the first that had its shape',
    file: 'api/graphql/compile/compile.ts',
    caughtBy: SAME,
    find: 'return { value: reading, isKept: isSmall }',
    replace: 'return { value: reading && bind(reading, template), isKept: isSmall }',
  },
  {
    name: 'a wallet with any number of claims is counted in one statement',
    file: 'api/projection/one-parent.ts',
    caughtBy: MADE,
    find: `\${toSql(filter)} and case when \${others} then \${failure} else true end`,
    replace: `\${toSql(filter)} and case when \${others} and false then \${failure} else true end`,
  },
  {
    name: 'a wallet with more claims than are counted has as many as are',
    file: 'api/projection/one-parent.ts',
    caughtBy: MADE,
    find: `case when \${isWide} then`,
    replace: `case when \${isWide} and false then`,
  },
]
