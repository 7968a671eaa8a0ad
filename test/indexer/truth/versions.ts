/** Versions of vaults and of statuses, block by block, from the logs alone. */

import { type Address, zeroAddress } from 'viem'
import { lowercase } from '../../support/parties.ts'
import { type History, inOrder, type Located, until } from './history.ts'
import { vaultsOf } from './vaults.ts'

/** A row for each block with an event of the vault's status, owner, mandate or pricing: the vault after the block. */
export function vaultVersionsOf(history: History) {
  const { vaultRegistered, vaultStatus, mandates, pricings, owners } = history
  const changes = [
    ...[...vaultRegistered, ...vaultStatus].map((log) => ({ ...log, vault: lowercase(log.args.vault) })),
    ...[...mandates, ...pricings].map((log) => ({ ...log, vault: lowercase(log.address) })),
    ...owners
      .filter(({ args }) => args.previousOwner !== zeroAddress)
      .map((log) => ({ ...log, vault: lowercase(log.address) })),
  ]
  const blocks = Map.groupBy(inOrder(changes), ({ blockNumber }) => blockNumber)
  return [...blocks].flatMap(([block, logs]) => {
    const changed = new Set(logs.map(({ vault }) => vault))
    const [{ at } = { at: 0n }] = logs
    return vaultsOf(until(history, block)).flatMap((row) =>
      changed.has(row.address)
        ? {
            vault: row.address,
            block,
            at,
            curator: row.curator,
            active: row.active,
            supported_types_bitmap: row.supported_types_bitmap,
            min_duration_days: row.min_duration_days,
            max_duration_days: row.max_duration_days,
            min_face: row.min_face,
            max_face: row.max_face,
            max_claim_face: row.max_claim_face,
            max_issuer_face: row.max_issuer_face,
            base_discount_bps: row.base_discount_bps,
            duration_bps_per_day: row.duration_bps_per_day,
            premium_bps: row.premium_bps,
          }
        : [],
    )
  })
}

/** A row for each block with an event of an issuer's, a token's or the router's status: the status after the block. */
export function statusVersionsOf({
  router,
  start,
  issuerStatus,
  tokensAdded,
  tokenStatus,
  paused,
  unpaused,
}: History) {
  const status = (log: Located, subject: Address, value: boolean) => ({
    ...log,
    subject: lowercase(subject),
    status: value,
  })
  const changes = inOrder([
    ...issuerStatus.map((log) => status(log, log.args.issuer, log.args.active)),
    ...tokensAdded.map((log) => status(log, log.args.token, false)),
    ...tokenStatus.map((log) => status(log, log.args.token, log.args.listed)),
    ...paused.map((log) => status(log, router, true)),
    ...unpaused.map((log) => status(log, router, false)),
  ])
  const last = new Map(changes.map((change) => [`${change.subject} ${change.blockNumber}`, change]))
  return [
    { subject: lowercase(router), block: start.block, at: start.at, status: false },
    ...[...last.values()].map(({ subject, blockNumber, at, status }) => ({
      subject,
      block: blockNumber,
      at,
      status,
    })),
  ]
}
