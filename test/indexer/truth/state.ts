/** State that the contracts themselves report at a block, under the names of the tables. */
import { type Address, getContract } from 'viem'
import { claimRegistryAbi } from '../../../abis/ClaimRegistry.ts'
import { financingRouterAbi } from '../../../abis/FinancingRouter.ts'
import { financingVaultAbi } from '../../../abis/FinancingVault.ts'
import { issuerRegistryAbi } from '../../../abis/IssuerRegistry.ts'
import { tokenRegistryAbi } from '../../../abis/TokenRegistry.ts'
import { vaultRegistryAbi } from '../../../abis/VaultRegistry.ts'
import { lowercase } from '../../support/parties.ts'
import type { World } from '../../support/protocol.ts'
import { stateOf } from './claims.ts'
import type { Truth } from './tables.ts'

/** The part of each row that a contract holds: `rows` as the logs have it, `state` as the contract has it. */
export async function compareWithState(
  { chain: client, protocol, parties }: World,
  truth: Truth,
  block: bigint,
) {
  const at = { blockNumber: block }
  const claims = getContract({ abi: claimRegistryAbi, address: protocol.claimRegistry, client })
  const issuers = getContract({ abi: issuerRegistryAbi, address: protocol.issuerRegistry, client })
  const tokens = getContract({ abi: tokenRegistryAbi, address: protocol.tokenRegistry, client })
  const registry = getContract({ abi: vaultRegistryAbi, address: protocol.vaultRegistry, client })
  const router = getContract({ abi: financingRouterAbi, address: protocol.financingRouter, client })
  const vaultAt = (address: Address) => getContract({ abi: financingVaultAbi, address, client }).read
  const wallets = [
    ...new Set([
      ...Object.values(parties).map(({ address }) => address),
      ...truth.vault_position.map(({ owner }) => owner),
    ]),
  ]

  const pairs: { of: string; rows: unknown; state: unknown }[] = []
  const compare = (of: string, rows: unknown, state: unknown) => pairs.push({ of, rows, state })

  for (const row of truth.claim) {
    const {
      issuer,
      beneficiary,
      token,
      face_value,
      financed_face_value,
      paid_face_value,
      due_at,
      claim_type,
      slice_count,
      state,
    } = row
    const found = await claims.read.claim([row.id], at)
    compare(
      `claim ${row.id}`,
      {
        issuer,
        beneficiary,
        token,
        face_value,
        financed_face_value,
        paid_face_value,
        due_at,
        claim_type,
        slice_count,
        state,
      },
      {
        issuer: lowercase(found.issuer),
        beneficiary: lowercase(found.beneficiary),
        token: lowercase(found.token),
        face_value: found.faceValue,
        financed_face_value: found.financedFaceValue,
        paid_face_value: found.paidFaceValue,
        due_at: found.dueDate,
        claim_type: found.claimType,
        slice_count: found.sliceCount,
        state: stateOf(found.state),
      },
    )
    const parts = truth.allocation.filter(({ claim_id }) => claim_id === row.id)
    const allocated = await claims.read.allocations([row.id], at)
    compare(
      `allocations of ${row.id}`,
      parts.map(({ slice_index, vault, face_amount, advance_amount, settled, paid_face, repaid_face }) => ({
        slice_index,
        vault,
        face_amount,
        advance_amount,
        settled,
        held: paid_face - repaid_face,
      })),
      await Promise.all(
        allocated.map(async (part, slice_index) => ({
          slice_index,
          vault: lowercase(part.vault),
          face_amount: part.faceAmount,
          advance_amount: part.advanceAmount,
          settled: state === 'SETTLED' || parts[slice_index]?.settled,
          held: await router.read.heldFace([row.id, slice_index], at),
        })),
      ),
    )
  }

  const registered = await registry.read.vaults([0n, 1000n], at)
  compare(
    'the vaults',
    truth.vault.map(({ address }) => address),
    registered.map(lowercase),
  )
  for (const row of truth.vault) {
    const {
      registered_at: _at,
      registered_block: _block,
      changed_at: _changedAt,
      changed_block: _changed,
      discount_earned: _gain,
      ...rest
    } = row
    const read = vaultAt(row.address)
    const [mandate, pricing, lines] = [await read.mandate(at), await read.pricing(at), await read.lines(at)]
    compare(`vault ${row.address}`, rest, {
      address: row.address,
      token: lowercase(await read.asset(at)),
      curator: lowercase(await read.owner(at)),
      name: await read.name(at),
      symbol: await read.symbol(at),
      active: await registry.read.isActive([row.address], at),
      supported_types_bitmap: mandate.supportedTypesBitmap,
      min_duration_days: mandate.minDurationDays,
      max_duration_days: mandate.maxDurationDays,
      min_face: mandate.minFace,
      max_face: mandate.maxFace,
      max_claim_face: mandate.maxClaimFace,
      max_issuer_face: mandate.maxIssuerFace,
      base_discount_bps: pricing.baseDiscountBps,
      duration_bps_per_day: pricing.durationBpsPerDay,
      premium_bps: [...pricing.premiumBps],
      notice_period: await read.noticePeriod(at),
      idle_assets: await read.idleAssets(at),
      outstanding_face: await read.outstandingFace(at),
      outstanding_advance: await read.outstandingAdvance(at),
      total_shares: await read.totalSupply(at),
      gain_per_second: lines.gainPerSecond,
      gain_offset: lines.gainOffset,
      loss_per_second: lines.lossPerSecond,
      loss_offset: lines.lossOffset,
      through_day: lines.throughDay * 86_400n,
    })
    const {
      submitted_at: _on,
      submitted_block: _in,
      ...pending
    } = truth.pending_terms.find(({ vault }) => vault === row.address) ?? { effective_at: 0n }
    const [nextMandate, nextPricing, effectiveAt] = await read.pendingTerms(at)
    compare(
      `pending terms of ${row.address}`,
      pending,
      effectiveAt === 0n
        ? { effective_at: 0n }
        : {
            vault: row.address,
            supported_types_bitmap: nextMandate.supportedTypesBitmap,
            min_duration_days: nextMandate.minDurationDays,
            max_duration_days: nextMandate.maxDurationDays,
            min_face: nextMandate.minFace,
            max_face: nextMandate.maxFace,
            max_claim_face: nextMandate.maxClaimFace,
            max_issuer_face: nextMandate.maxIssuerFace,
            base_discount_bps: nextPricing.baseDiscountBps,
            duration_bps_per_day: nextPricing.durationBpsPerDay,
            premium_bps: [...nextPricing.premiumBps],
            effective_at: effectiveAt,
          },
    )
    for (const wallet of wallets) {
      const position = truth.vault_position.find(
        ({ vault, owner }) => vault === row.address && owner === wallet,
      )
      compare(
        `shares of ${wallet} in ${row.address}`,
        position?.shares ?? 0n,
        await read.balanceOf([wallet], at),
      )
    }
  }

  // The vault's figures at each block in which they changed.
  const lastOfBlock = new Map(truth.capital_change.map((row) => [`${row.vault} ${row.block}`, row]))
  for (const {
    vault,
    block: blockNumber,
    idle_assets,
    outstanding_face,
    outstanding_advance,
  } of lastOfBlock.values()) {
    const read = vaultAt(vault)
    compare(
      `capital of ${vault} at block ${blockNumber}`,
      [idle_assets, outstanding_face, outstanding_advance],
      [
        await read.idleAssets({ blockNumber }),
        await read.outstandingFace({ blockNumber }),
        await read.outstandingAdvance({ blockNumber }),
      ],
    )
  }

  for (const { account, token, amount } of truth.credit) {
    compare(`credit of ${account} in ${token}`, amount, await router.read.credits([account, token], at))
  }
  for (const { address, active } of truth.issuer) {
    compare(`issuer ${address}`, active, await issuers.read.isActive([address], at))
  }
  const listed = await tokens.read.tokens([0n, 1000n], at)
  compare(
    'the tokens',
    truth.token.map(({ address }) => address),
    listed.map(lowercase),
  )
  for (const { address, symbol, name, decimals, listed } of truth.token) {
    const { known: _, ...metadata } = await tokens.read.metadata([address], at)
    const isListed = await tokens.read.isListed([address], at)
    compare(`token ${address}`, { symbol, name, decimals, listed }, { ...metadata, listed: isListed })
  }
  for (const user of wallets) {
    const routes = truth.execution.filter((row) => row.user === user && row.kind === 'ROUTE')
    const cancelled = truth.route_cancellation.filter((row) => row.user === user)
    const uses = BigInt(routes.length + cancelled.length)
    compare(`nonces of ${user}`, uses, await router.read.nonces([user], at))
  }
  compare('the pause', truth.router[0]?.paused, await router.read.paused(at))
  return pairs
}
