import { z } from 'zod'
import type { Workload } from '../read.ts'
import { graphql, type Variables } from './graphql.ts'
import { sql } from './sql.ts'

const issuer: Variables = (sample) => ({ issuer: sample.issuer })
const allocation = z.strictObject({
  sliceIndex: z.int(),
  faceAmount: z.string(),
  advanceAmount: z.string(),
  vault: z.strictObject({ address: z.string(), name: z.string() }),
})
const FIELDS = 'sliceIndex faceAmount advanceAmount vault { address name }'
const claim = z.strictObject({ id: z.string(), faceValue: z.string(), allocations: z.array(allocation) })
const nodes = <Node extends z.ZodType>(node: Node) => z.strictObject({ nodes: z.array(node) })
const items = <Item extends z.ZodType>(item: Item) => z.strictObject({ items: z.array(item) })

const ours = z
  .strictObject({ claimId: z.string(), faceValue: z.string(), allocations: z.array(allocation) })
  .transform(({ claimId: id, ...rest }) => ({ id, ...rest }))

const postgraphile = z
  .strictObject({
    rowId: z.string(),
    faceValue: z.string(),
    allocationsByClaimId: nodes(
      allocation.omit({ vault: true }).extend({ vaultByVault: allocation.shape.vault }),
    ),
  })
  .transform(({ rowId: id, faceValue, allocationsByClaimId }) => ({
    id,
    faceValue,
    allocations: allocationsByClaimId.nodes.map(({ vaultByVault: vault, ...slice }) => ({ ...slice, vault })),
  }))

const ponder = z
  .strictObject({
    id: z.string(),
    faceValue: z.string(),
    allocations: items(allocation.omit({ vault: true }).extend({ financingVault: allocation.shape.vault })),
  })
  .transform(({ allocations, ...rest }) => ({
    ...rest,
    allocations: allocations.items.map(({ financingVault: vault, ...slice }) => ({ ...slice, vault })),
  }))

/** The newest 20 claims of an issuer, with their allocations, with their vaults. */
export const nested: Workload = {
  id: 'nested',
  title: 'nested, 20 claims → allocations → vault',
  grows: true,
  reads: {
    ours: graphql(
      'ours',
      `query Nested($issuer: Address!) {
        claims(first: 20, filter: { issuer: $issuer }) { nodes { claimId faceValue allocations { ${FIELDS} } } }
      }`,
      issuer,
      z.object({ claims: nodes(ours) }).transform((data) => data.claims.nodes),
    ),
    postgraphile: graphql(
      'postgraphile',
      `query Nested($issuer: String!) {
        claims: allClaims(first: 20, condition: { issuer: $issuer }, orderBy: [REGISTERED_AT_DESC, ORDINAL_DESC]) {
          nodes {
            rowId faceValue
            allocationsByClaimId(orderBy: SLICE_INDEX_ASC) { nodes { ${FIELDS.replace('vault', 'vaultByVault')} } }
          }
        }
      }`,
      issuer,
      z.object({ claims: nodes(postgraphile) }).transform((data) => data.claims.nodes),
    ),
    ponder: graphql(
      'ponder',
      `query Nested($issuer: String!) {
        claims(limit: 20, where: { issuer: $issuer }, orderBy: "registeredAt", orderDirection: "desc") {
          items {
            id faceValue
            allocations(orderBy: "sliceIndex", orderDirection: "asc") { items { ${FIELDS.replace('vault', 'financingVault')} } }
          }
        }
      }`,
      issuer,
      z.object({ claims: items(ponder) }).transform((data) => data.claims.items),
    ),
    sql: sql('nested', (sample) => [sample.issuer], z.array(claim)),
  },
}
