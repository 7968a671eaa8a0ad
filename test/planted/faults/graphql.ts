import type { PlantedFault } from '../fault.ts'

export const graphqlFaults: readonly PlantedFault[] = [
  {
    name: 'a document of any number of lines is parsed',
    file: 'api/graphql/bounds.ts',
    find: 'split(/\\r\\n|[\\n\\r]/, LINES_MAX + 1)',
    replace: 'split(/\\r\\n|[\\n\\r]/, LINES_MAX)',
  },
  {
    name: 'aliases and other parts of documents are counted over all requests together',
    file: 'api/graphql/document-rules.ts',
    find: '  return (context) => {\n    let count = 0',
    replace: '  let count = 0\n  return (context) => {',
  },
  {
    name: 'a page asked for by `last` costs as much as one of the default size',
    file: 'api/graphql/connection.ts',
    find: 'multiplier: toPageRequest(page).limit',
    replace: 'multiplier: page.first ?? PAGE_LIMIT_DEFAULT',
  },
  {
    name: 'lists whose filters differ only in the last digits of a large amount share one answer',
    file: 'api/graphql/context.ts',
    find: `(typeof value === 'bigint' ? \`\${value}n\` : value)`,
    replace: "(typeof value === 'bigint' ? Number(value) : value)",
  },
  {
    name: "an operation's snapshot is opened while its fields still ask the chain",
    file: 'api/graphql/context.ts',
    find: '      before.push(done)\n      return done',
    replace: '      return done',
  },
  {
    name: "totalCount of a parent's list disregards the filter",
    file: 'api/graphql/lists.ts',
    find: '() => counts(operation, parent, list.filter)',
    replace: '() => counts(operation, parent, undefined)',
  },
  {
    name: 'too many requests are answered by GraphQL with status 200',
    file: 'api/graphql/errors.ts',
    find: 'if (coded.status !== 429 && coded.status !== 503) return undefined',
    replace: 'if (coded.status !== 503) return undefined',
  },
  {
    name: 'each member of AND and OR may have as many conditions and values as a whole filter',
    file: 'api/graphql/filter.ts',
    find: 'read(member, budget, depth + 1)',
    replace: 'read(member, { ...budget }, depth + 1)',
  },
  {
    name: 'the global ids of positions and of days of issuers are refused',
    file: 'api/graphql/global-id.ts',
    find: '(?<id>[\\w-]{1,160})',
    replace: '(?<id>[\\w-]{1,80})',
  },
  {
    name: 'introspection below `ofType` costs nothing',
    file: 'api/graphql/introspection.ts',
    find: "    case 'ofType':\n      return isWrappingType(part) ? [part.ofType] : []\n    default:",
    replace: '    default:',
  },
  {
    name: 'subscribers receive an error while an index is rebuilt',
    file: 'api/graphql/live.ts',
    find: 'originalError.status === 503',
    replace: "originalError.code === 'DATABASE_UNAVAILABLE'",
  },
  {
    name: 'fields in inline fragments count against no bound',
    file: 'api/graphql/selections.ts',
    find: 'if (selection.kind === Kind.INLINE_FRAGMENT) return collect(selection.selectionSet)',
    replace: 'if (selection.kind === Kind.INLINE_FRAGMENT) return []',
  },
  {
    name: "a subscription that could not begin keeps its place among the client's open ones",
    file: 'api/graphql/subscriptions.ts',
    find: '  await events.return?.()\n  return first.value',
    replace: '  return first.value',
  },
  {
    name: 'an account is reported to have received the settlements that it paid',
    file: 'api/graphql/schema/account.ts',
    find: 'settlementsOfBeneficiary(operation, address, args, settlementList.read(args))',
    replace: 'settlementsOfPayer(operation, address, args, settlementList.read(args))',
  },
  {
    name: 'the days to a due date are rounded up',
    file: 'api/graphql/schema/claim.ts',
    find: '(claim.dueAt - now) / SECONDS_PER_DAY',
    replace: '(claim.dueAt - now + SECONDS_PER_DAY - 1n) / SECONDS_PER_DAY',
  },
  {
    name: 'a series up to a midnight has the day that begins with it',
    file: 'api/graphql/schema/series.ts',
    find: 'to > now ? now : to - 1n',
    replace: 'to > now ? now : to',
  },
  {
    name: 'an execution that is projected while the chain is asked is not shown as executed',
    file: 'api/graphql/schema/execution-state.ts',
    find: 'return (await operation.read((snapshot) => readExecution(snapshot, executionId))) ?? toShape(found)',
    replace: 'return toShape(found)',
  },
  {
    name: 'the average rate of a group is its cost over its advances',
    file: 'api/graphql/schema/aggregate.ts',
    find: 'effectiveDiscountBps(group.sum(face) - group.sum(advance), group.sum(face))',
    replace: 'effectiveDiscountBps(group.sum(face) - group.sum(advance), group.sum(advance))',
  },
]
