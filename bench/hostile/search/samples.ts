/** Values that the arguments of operations get. */
import { decodeGlobalId } from '../../../api/graphql/kit/global-id.ts'
import { schema } from '../../../api/graphql/schema.ts'
import { type ScalarSamples, scalarSamples } from '../../../test/fuzz/graphql-input.ts'
import { listedTexts, textsOf } from '../../../test/fuzz/listed-texts.ts'
import type { Requestable } from '../../../test/support/sign-in.ts'

/** Rows of each list. */
const ROWS = 50
const WALLETS = `{ claims(first: ${ROWS}) { nodes { issuer { address } beneficiary { address } } } }`
/** Values that no row has, and bounds that all rows are within. */
const OTHERS = [
  ...[`0x${'ab'.repeat(20)}`, `0x${'cd'.repeat(32)}`, '0', '1', '1000000', `${2n ** 127n}`],
  ...['2020-01-01T00:00:00Z', '2021-06-01T00:00:00Z', '2030-01-31T12:00:00Z'],
]

export async function readSamples(app: Requestable): Promise<ScalarSamples> {
  const texts = [...OTHERS, ...(await listedTexts(app, schema, ROWS)), ...(await textsOf(app, WALLETS))]
  const samples = scalarSamples([...new Set(texts)])
  return { ...samples, ID: texts.filter(isGlobalId) }
}

function isGlobalId(text: string): boolean {
  try {
    return decodeGlobalId(text).id !== ''
  } catch {
    return false
  }
}
