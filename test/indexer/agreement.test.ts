/** The projection says what the chain says: every row against the contracts' own views and logs at the projected block. */
import type { Kysely } from 'kysely'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { supportedTypes } from '../../api/domain/mandate.ts'
import { createPool, createProjectionDb, type ProjectionTables } from '../../api/projection/database.ts'
import { createIndexedDatabase, finalizeAndProject, type IndexedDatabase } from '../support/indexer.ts'
import { lowercase } from '../support/parties.ts'
import { startWorld } from '../support/protocol.ts'
import { CLAIM_STATES } from '../support/scenario.ts'
import { chainTruth } from './chain-truth.ts'
import { playRandomHistory } from './random-world.ts'

const SEED = Number(process.env.SEED ?? 20_260_711)
const STEPS = 90

let world: Awaited<ReturnType<typeof startWorld>>
let database: IndexedDatabase
let pool: pg.Pool
let db: Kysely<ProjectionTables>
let truth: ReturnType<typeof chainTruth>

beforeAll(async () => {
  world = await startWorld()
  database = await createIndexedDatabase(world)
  await playRandomHistory(world, SEED, STEPS)
  const indexer = await database.start()
  await indexer.ready()
  pool = createPool(database.url, 4)
  db = createProjectionDb(pool)
  truth = chainTruth(world, await finalizeAndProject(world, database.pool))
})

afterAll(async () => {
  await pool?.end()
  await database?.remove()
  await world?.stop()
})

describe(`the projection of a random history (seed ${SEED})`, () => {
  it('has the claims as the registry has them', async () => {
    const registered = await truth.registered()
    const rows = await db.selectFrom('claim').selectAll().orderBy('registeredBlock').execute()
    expect(rows.length).toBe(registered.length)
    for (const [index, { args, blockNumber, transactionHash }] of registered.entries()) {
      const { dueDate, state, ...claim } = await truth.claims.read.claim([args.claimId], truth.at)
      expect(rows[index]).toMatchObject({
        ...claim,
        issuer: lowercase(claim.issuer),
        beneficiary: lowercase(claim.beneficiary),
        token: lowercase(claim.token),
        id: args.claimId,
        dueAt: dueDate,
        state: CLAIM_STATES[state],
        documentHash: args.documentHash,
        registeredBlock: blockNumber,
        registeredAt: await truth.timeOf(blockNumber),
        registeredTx: transactionHash,
      })
    }
    expect(new Set(rows.map(({ state }) => state)).size).toBeGreaterThanOrEqual(4)
  })

  it('has the allocations as the registry has them, and knows which were repaid', async () => {
    const claims = await db.selectFrom('claim').select(['id', 'state']).execute()
    let found = 0
    for (const { id, state } of claims) {
      const rows = await db
        .selectFrom('allocation')
        .where('claimId', '=', id)
        .orderBy('sliceIndex')
        .selectAll()
        .execute()
      const parts = await truth.claims.read.allocations([id], truth.at)
      expect(
        rows.map(({ vault, faceAmount, advanceAmount }) => ({ vault, faceAmount, advanceAmount })),
      ).toEqual(parts.map((part) => ({ ...part, vault: lowercase(part.vault) })))
      const { issuer, token, claimType } = await truth.claims.read.claim([id], truth.at)
      const claim = { issuer: lowercase(issuer), token: lowercase(token), claimType }
      for (const row of rows) expect(row).toMatchObject(claim)
      expect(rows.map(({ repaidAt }) => repaidAt !== null)).toEqual(rows.map(() => state === 'SETTLED'))
      found += rows.length
    }
    expect(found).toBeGreaterThan(5)
  })

  it('has the vaults with mandate, pricing, capital and shares as they say themselves', async () => {
    const rows = await db.selectFrom('vault').selectAll().orderBy('registeredBlock').execute()
    expect(rows.map(({ address }) => address)).toEqual(await truth.vaults())
    for (const { discountEarned, registeredAt, registeredBlock, changedAt, changedBlock, ...row } of rows) {
      expect(row).toEqual(await truth.vault(row.address))
      expect(discountEarned).toBe(await truth.discountEarned(row.address))
      expect(changedBlock).toBeGreaterThanOrEqual(registeredBlock)
      expect(changedAt).toBeGreaterThanOrEqual(registeredAt)
    }
  })

  it('has the terms of every vault for every claim type its mandate supports, and no others', async () => {
    const rows = await db.selectFrom('vaultTerms').selectAll().orderBy('vault').orderBy('claimType').execute()
    const vaults = await Promise.all((await truth.vaults()).toSorted().map((address) => truth.vault(address)))
    const expected = vaults.flatMap((vault) =>
      supportedTypes(vault.supportedTypesBitmap).map((claimType) => {
        const totalBpsNow = vault.baseDiscountBps + (vault.premiumBps[claimType] ?? 0)
        return {
          vault: vault.address,
          claimType,
          token: vault.token,
          active: vault.active,
          maxDurationDays: vault.maxDurationDays,
          minFace: vault.minFace,
          maxFace: vault.maxFace,
          durationBpsPerDay: vault.durationBpsPerDay,
          totalBpsNow,
          totalBpsMonth: totalBpsNow + 30 * vault.durationBpsPerDay,
          totalBpsQuarter: totalBpsNow + 90 * vault.durationBpsPerDay,
        }
      }),
    )
    expect(rows.length).toBeGreaterThan(5)
    expect(rows).toEqual(expected)
  })

  it('has every position as the vault has the balance, and together they are all shares', async () => {
    const rows = await db.selectFrom('vaultPosition').selectAll().execute()
    for (const { vault, owner, shares } of rows) expect(shares).toBe(await truth.sharesOf(vault, owner))
    for (const { address, totalShares } of await db.selectFrom('vault').selectAll().execute()) {
      expect(sum(rows.filter(({ vault }) => vault === address).map(({ shares }) => shares))).toBe(totalShares)
    }
    expect(rows.length).toBeGreaterThan(4)
  })

  it('has every movement of capital with the figures the vault had after its block', async () => {
    const rows = await db.selectFrom('capitalChange').selectAll().orderBy('id').execute()
    expect(new Set(rows.map(({ kind }) => kind)).size).toBe(4)
    const lastOfBlock = new Map(rows.map((row) => [`${row.vault} ${row.block}`, row]))
    for (const { vault, block, idleAssets, outstandingFace, outstandingAdvance } of lastOfBlock.values()) {
      const figures = { idleAssets, outstandingFace, outstandingAdvance }
      expect(figures).toEqual(await truth.capitalOf(vault, block))
    }
  })

  it('has the issuers and the pause as the contracts have them', async () => {
    const changes = await truth.issuerChanges()
    const registered = await truth.registered()
    const rows = await db.selectFrom('issuer').selectAll().execute()
    expect(new Set(rows.map(({ address }) => address))).toEqual(
      new Set(changes.map(({ args }) => lowercase(args.issuer))),
    )
    for (const { address, active, claimCount } of rows) {
      expect(active).toBe(await truth.issuers.read.isActive([address], truth.at))
      expect(claimCount).toBe(registered.filter(({ args }) => lowercase(args.issuer) === address).length)
    }
    const routers = await db.selectFrom('router').select(['id', 'paused']).execute()
    const paused = await truth.router.read.paused(truth.at)
    expect(routers).toEqual([{ id: world.protocol.financingRouter, paused }])
  })

  it('has every execution, and as many routes of a user as the router has used nonces', async () => {
    const executed = await truth.executed()
    const rows = await db.selectFrom('execution').selectAll().orderBy('block').execute()
    const expected = executed.map(async ({ args, blockNumber, transactionHash }) => ({
      id: args.executionId,
      user: lowercase(args.user),
      token: lowercase(args.token),
      kind: args.kind === 0 ? 'ROUTE' : 'DIRECT',
      submitter: lowercase(args.submitter),
      legCount: Number(args.legCount),
      totalFace: args.totalFace,
      totalAdvance: args.totalAdvance,
      block: blockNumber,
      at: await truth.timeOf(blockNumber),
      tx: transactionHash,
    }))
    expect(rows).toEqual(await Promise.all(expected))
    expect(new Set(rows.map(({ kind }) => kind)).size).toBe(2)
    for (const user of new Set(rows.map((row) => row.user))) {
      const routes = rows.filter((row) => row.user === user && row.kind === 'ROUTE')
      expect(BigInt(routes.length)).toBe(await truth.router.read.nonces([user], truth.at))
    }
  })

  it('has every leg of every execution', async () => {
    const executed = await truth.legs()
    const rows = await db
      .selectFrom('executionLeg')
      .innerJoin('execution', 'execution.id', 'executionLeg.executionId')
      .selectAll('executionLeg')
      .orderBy('block')
      .orderBy('legIndex')
      .execute()
    const legOf = async ({ args, blockNumber }: (typeof executed)[number]) => ({
      ...args,
      legIndex: Number(args.legIndex),
      vault: lowercase(args.vault),
      at: await truth.timeOf(blockNumber),
    })
    expect(rows).toEqual(await Promise.all(executed.map(legOf)))
    expect(rows.some(({ legIndex }) => legIndex > 0)).toBe(true)
  })

  it('has every settlement', async () => {
    const settled = await truth.settled()
    const rows = await db.selectFrom('settlement').selectAll().orderBy('block').execute()
    const expected = settled.map(async ({ args, blockNumber, transactionHash }) => {
      const claim = await truth.claims.read.claim([args.claimId], truth.at)
      return {
        ...args,
        payer: lowercase(args.payer),
        token: lowercase(args.token),
        beneficiary: lowercase(claim.beneficiary),
        issuer: lowercase(claim.issuer),
        claimType: claim.claimType,
        block: blockNumber,
        at: await truth.timeOf(blockNumber),
        tx: transactionHash,
      }
    })
    expect(rows).toEqual(await Promise.all(expected))
    expect(rows.length).toBeGreaterThan(0)
  })

  it('has the activity in the order of the chain, one row per event and role', async () => {
    const rows = await db.selectFrom('activity').selectAll().orderBy('id').execute()
    const blocks = rows.map(({ block }) => block)
    expect(blocks).toEqual([...blocks].sort((a, b) => Number(a - b)))
    const amounts = (kind: string) => rows.filter((row) => row.kind === kind).map((row) => row.amount)
    const registered = await truth.registered()
    const executed = await truth.executed()
    const settled = await truth.settled()
    expect(amounts('CLAIM_REGISTERED')).toEqual(registered.map(({ args }) => args.faceValue))
    expect(amounts('EXECUTION')).toEqual(executed.map(({ args }) => args.totalAdvance))
    expect(amounts('SETTLEMENT_PAID')).toEqual(settled.map(({ args }) => args.faceValue))
    expect(amounts('SETTLEMENT_RECEIVED')).toEqual(settled.map(({ args }) => args.beneficiaryAmount))
    const changes = await truth.stateChanges()
    const revoked = changes.filter(({ args }) => CLAIM_STATES[args.to] === 'REVOKED')
    expect(rows.filter(({ kind }) => kind === 'CLAIM_REVOKED').map(({ claimId }) => claimId)).toEqual(
      revoked.map(({ args }) => args.claimId),
    )
    for (const vault of await truth.vaults()) {
      const moved = (kind: string) =>
        rows.filter((row) => row.kind === kind && row.vault === vault).map((row) => row.amount)
      expect(moved('VAULT_DEPOSIT')).toEqual(await truth.deposits(vault))
      expect(moved('VAULT_WITHDRAWAL')).toEqual(await truth.withdrawals(vault))
    }
  })

  it("adds up each token's days to what its claims, executions and settlements say", async () => {
    const days = await db.selectFrom('tokenDay').selectAll().execute()
    expect(days.every(({ day }) => day % 86_400n === 0n)).toBe(true)
    expect(new Set(days.map(({ day }) => day)).size).toBeGreaterThan(1)
    const [claims, executions, settlements, vaultDays] = await Promise.all([
      db.selectFrom('claim').select(['token', 'faceValue', 'registeredAt as at']).execute(),
      db.selectFrom('execution').select(['token', 'totalFace', 'totalAdvance', 'at']).execute(),
      db.selectFrom('settlement').select(['token', 'faceValue', 'at']).execute(),
      db.selectFrom('vaultDay').selectAll().execute(),
    ])
    for (const { token, day, ...figures } of days) {
      const ofVaults = vaultDays.filter((own) => own.token === token && own.day === day)
      const within = (row: { token: string; at: bigint }) =>
        row.token === token && row.at / 86_400n === day / 86_400n
      const [registered, executed, settled] = [
        claims.filter(within),
        executions.filter(within),
        settlements.filter(within),
      ]
      expect(figures).toEqual({
        claimsRegistered: registered.length,
        faceRegistered: sum(registered.map((claim) => claim.faceValue)),
        executions: executed.length,
        faceFinanced: sum(executed.map((execution) => execution.totalFace)),
        advanced: sum(executed.map((execution) => execution.totalAdvance)),
        settlements: settled.length,
        faceSettled: sum(settled.map((settlement) => settlement.faceValue)),
        deposited: sum(ofVaults.map((own) => own.deposited)),
        withdrawn: sum(ofVaults.map((own) => own.withdrawn)),
        faceRepaid: sum(ofVaults.map((own) => own.faceRepaid)),
        discountEarned: sum(ofVaults.map((own) => own.discountEarned)),
      })
    }
    expect(days.reduce((total, day) => total + day.claimsRegistered, 0)).toBe(claims.length)
    expect(days.reduce((total, day) => total + day.executions, 0)).toBe(executions.length)
    expect(days.reduce((total, day) => total + day.settlements, 0)).toBe(settlements.length)
  })

  it("adds up each issuer's days to its claims, what was financed of them and what was repaid", async () => {
    const days = await db.selectFrom('issuerDay').selectAll().execute()
    const [claims, allocations, settlements] = await Promise.all([
      db.selectFrom('claim').select(['issuer', 'token', 'faceValue', 'registeredAt as at']).execute(),
      db.selectFrom('allocation').selectAll().execute(),
      db.selectFrom('settlement').selectAll().execute(),
    ])
    for (const { issuer, token, day, ...figures } of days) {
      const within = (at: bigint | null, row: { issuer: string; token: string }) =>
        row.issuer === issuer && row.token === token && at !== null && at / 86_400n === day / 86_400n
      const registered = claims.filter((claim) => within(claim.at, claim))
      const financed = allocations.filter((part) => within(part.fundedAt, part))
      const repaid = allocations.filter((part) => within(part.repaidAt, part))
      const settled = settlements.filter((row) => within(row.at, row))
      expect(figures).toEqual({
        claimsRegistered: registered.length,
        faceRegistered: sum(registered.map((claim) => claim.faceValue)),
        allocations: financed.length,
        faceFinanced: sum(financed.map((part) => part.faceAmount)),
        advanced: sum(financed.map((part) => part.advanceAmount)),
        settlements: settled.length,
        faceSettled: sum(settled.map((row) => row.faceValue)),
        faceRepaid: sum(repaid.map((part) => part.faceAmount)),
        discountEarned: sum(repaid.map((part) => part.faceAmount - part.advanceAmount)),
      })
    }
    expect(days.reduce((total, day) => total + day.claimsRegistered, 0)).toBe(claims.length)
    expect(days.reduce((total, day) => total + day.allocations, 0)).toBe(allocations.length)
    expect(days.reduce((total, day) => total + day.settlements, 0)).toBe(settlements.length)
  })

  it('counts the claims of each token, state, issuer and type as they are', async () => {
    const totals = await db.selectFrom('claimTotal').selectAll().execute()
    const claims = await db.selectFrom('claim').selectAll().execute()
    for (const { token, state, issuer, claimType, ...figures } of totals) {
      const own = claims.filter(
        (claim) =>
          claim.token === token &&
          claim.state === state &&
          claim.issuer === issuer &&
          claim.claimType === claimType,
      )
      expect(figures).toEqual({
        claims: own.length,
        faceValue: sum(own.map((claim) => claim.faceValue)),
        financedFaceValue: sum(own.map((claim) => claim.financedFaceValue)),
      })
    }
    expect(totals.reduce((total, { claims }) => total + claims, 0)).toBe(claims.length)
    expect(totals.some((total) => total.claims === 0)).toBe(true)
  })

  it("adds up each vault's days to its movements, and ends each day with its last figures", async () => {
    const days = await db.selectFrom('vaultDay').selectAll().execute()
    const changes = await db.selectFrom('capitalChange').selectAll().orderBy('id').execute()
    let counted = 0
    for (const { vault, day, ...all } of days) {
      const {
        token: _token,
        allocations: _parts,
        faceFinanced: _face,
        discountEarned: _gain,
        ...figures
      } = all
      const own = changes.filter((change) => change.vault === vault && change.at / 86_400n === day / 86_400n)
      const moved = (kind: string) => sum(own.filter((change) => change.kind === kind).map((c) => c.amount))
      const last = own.at(-1)
      expect(figures).toEqual({
        deposited: moved('DEPOSIT'),
        withdrawn: moved('WITHDRAWAL'),
        advanced: moved('FUNDING'),
        faceRepaid: moved('REPAYMENT'),
        idleAssets: last?.idleAssets,
        outstandingFace: last?.outstandingFace,
        outstandingAdvance: last?.outstandingAdvance,
      })
      counted += own.length
    }
    expect(counted).toBe(changes.length)
    const allocations = await db.selectFrom('allocation').select(['vault', 'faceAmount']).execute()
    for (const { address, token, discountEarned } of await db.selectFrom('vault').selectAll().execute()) {
      const own = days.filter(({ vault }) => vault === address)
      const financed = allocations.filter(({ vault }) => vault === address)
      expect(sum(own.map((day) => day.faceFinanced))).toBe(sum(financed.map((part) => part.faceAmount)))
      expect(sum(own.map((day) => day.discountEarned))).toBe(discountEarned)
      expect(own.reduce((total, day) => total + day.allocations, 0)).toBe(financed.length)
      expect(own.every((day) => day.token === token)).toBe(true)
    }
  })
})

const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n)
