/** Deposits with a permit (EIP-2612): one signature in place of the approvals. */
import type { components } from './generated/api.ts'
import type { Rest } from './rest.ts'
import { at, hexAt, integerAt } from './verify/compare.ts'
import { optional } from './verify/parts.ts'
import type { RequestRecord } from './verify/prepared.ts'

type Schemas = components['schemas']

/** 65 bytes. A contract signs otherwise, and tokens do not take that. */
const KEY_SIGNATURE_LENGTH = 132

/** Prepares a deposit again with the signed permit that it offered; undefined for a signature that is of no key. */
export async function preparePermitted(
  rest: Rest,
  { request }: RequestRecord,
  signature: `0x${string}`,
  { deadline }: Pick<Schemas['Permit'], 'deadline'>,
): Promise<Schemas['PreparedDeposit'] | undefined> {
  if (signature.length !== KEY_SIGNATURE_LENGTH) return undefined
  const slippageBps = optional(request, 'body.slippageBps')
  const hasReceiver = at(request, 'body.receiver') !== undefined
  return rest.post('/api/v1/vaults/{vault}/deposits/prepare', {
    params: { path: { vault: hexAt(request, 'params.path.vault') } },
    body: {
      assets: `${integerAt(request, 'body.assets')}`,
      permit: { signature, deadline },
      ...(hasReceiver && { receiver: hexAt(request, 'body.receiver') }),
      ...(slippageBps !== undefined && { slippageBps: Number(slippageBps) }),
    },
  })
}
