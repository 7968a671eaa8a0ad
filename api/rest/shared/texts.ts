/** Texts of answers, with bounds that hold for all of them. */
import { z } from '@hono/zod-openapi'
import { REVERT_BOUNDS } from '../../chain/revert.ts'

/**
 * Words for people. The longest describe a settlement: ten amounts in units and in base units, with eight vaults, the
 * claim and the beneficiary, have some 3,000 characters; a revert with its arguments has fewer.
 */
export const sentence = z.string().max(4096)

/** A name, a key or a short phrase that the service composes. */
export const label = z.string().max(256)

export const errorName = z.string().regex(/^\w+$/).max(REVERT_BOUNDS.name)
export const errorArguments = z.array(z.string().max(REVERT_BOUNDS.argument)).max(REVERT_BOUNDS.arguments)
