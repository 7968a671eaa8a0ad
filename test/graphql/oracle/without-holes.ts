/**
 * The schema without what Postgres does not have: values of the chain, of the auditor and of the caller, executions
 * that may be elsewhere, and blocks of the past, which the chain dates.
 */
import { buildASTSchema, type GraphQLSchema, parse, printSchema, visit } from 'graphql'

const HOLES = new Set([
  ...['Account.balances', 'Meta.audit', 'Query.execution', 'Query.transaction', 'Query.viewer'],
])

export function withoutHoles(schema: GraphQLSchema): GraphQLSchema {
  const document = visit(parse(printSchema(schema)), {
    InputValueDefinition: ({ name }) => (name.value === 'asOf' ? null : undefined),
    ObjectTypeDefinition: (node) => {
      const isHole = ({ name }: { name: { value: string } }) => HOLES.has(`${node.name.value}.${name.value}`)
      return node.name.value === 'Subscription'
        ? null
        : { ...node, fields: node.fields?.filter((field) => !isHole(field)) ?? [] }
    },
  })
  return buildASTSchema(document)
}
