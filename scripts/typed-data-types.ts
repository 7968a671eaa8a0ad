/**
 * TypeScript types of the typed data that the gateway prepares and of the calls that take them, as the client sees
 * them.
 */
import { financingRouterAbi } from '../abis/FinancingRouter.ts'
import { claimAttestationTypes } from '../api/typed-data/claim-attestation.ts'
import { executionRouteTypes } from '../api/typed-data/execution-route.ts'
import { permitTypes } from '../api/typed-data/permit.ts'

type Fields = readonly { name: string; type: string }[]
type Definition = Readonly<Record<string, Fields>>

/** Components of OpenAPI whose field has a narrower type than the document can state. */
export const NARROWER = {
  PreparedAttestation: { typedData: 'ClaimAttestationTypedData' },
  Permit: { typedData: 'PermitTypedData' },
  PreparedRoute: { typedData: 'ExecutionRouteTypedData' },
} as const

export const ABI_TYPE = 'ExecuteRouteAbi'

export function typedDataTypes(): string {
  const executeRoute = financingRouterAbi.filter(
    (entry) => entry.type === 'function' && entry.name === 'executeRoute',
  )
  return [
    "import type { Address, Hash, Integer } from '../scalars.ts'",
    ...Object.entries({ ...claimAttestationTypes, ...executionRouteTypes, ...permitTypes }).map(structOf),
    typedDataOf('ClaimAttestation', claimAttestationTypes),
    typedDataOf('ExecutionRoute', executionRouteTypes),
    typedDataOf('Permit', permitTypes),
    '/** Typed data (EIP-712), distinguished by `primaryType`. */\nexport type TypedData = ClaimAttestationTypedData | ExecutionRouteTypedData | PermitTypedData',
    `/** The entry of \`executeRoute\`. */\nexport type ${ABI_TYPE} = ${literalOf(executeRoute)}`,
  ].join('\n\n')
}

function structOf([name, fields]: [string, Fields]): string {
  const members = fields.map((field) => `  ${field.name}: ${typeOf(field.type)}`)
  return `export type ${name}Message = {\n${members.join('\n')}\n}`
}

function typedDataOf(primaryType: string, types: Definition): string {
  const structs = ['EIP712Domain', ...Object.keys(types)].map((name) => `'${name}'`).join(' | ')
  return `/** Argument of \`eth_signTypedData_v4\`. For ethers, remove \`EIP712Domain\` from \`types\`. */
export type ${primaryType}TypedData = {
  domain: { name: string; version: string; chainId: number; verifyingContract: Address }
  types: Record<${structs}, { name: string; type: string }[]>
  primaryType: '${primaryType}'
  message: ${primaryType}Message
}`
}

/** Integers are decimal strings: a JSON number above 2^53 would be another one. */
function typeOf(solidity: string): string {
  if (solidity.endsWith('[]')) return `${typeOf(solidity.slice(0, -2))}[]`
  if (solidity === 'address') return 'Address'
  if (solidity === 'bytes32') return 'Hash'
  return solidity.startsWith('uint') ? 'Integer' : `${solidity}Message`
}

/** Arrays instead of tuples: openapi-fetch makes arrays of the tuples in an answer. */
function literalOf(value: unknown): string {
  if (Array.isArray(value)) return `(${[...new Set(value.map(literalOf))].join(' | ')})[]`
  if (typeof value !== 'object' || value === null) return `'${String(value)}'`
  return `{ ${Object.entries(value)
    .map(([name, member]) => `${name}: ${literalOf(member)}`)
    .join('; ')} }`
}
