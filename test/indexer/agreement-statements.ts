/** Statements at random times of the history, against the contracts at the last block before and against the logs. */
import { createHash } from 'node:crypto'
import type { Address } from 'viem'
import { expect, it } from 'vitest'
import { claimRegistryAbi } from '../../abis/ClaimRegistry.ts'
import { financingRouterAbi } from '../../abis/FinancingRouter.ts'
import { financingVaultAbi } from '../../abis/FinancingVault.ts'
import { seededRandom } from '../../api/domain/random.ts'
import { iso } from '../graphql/calendar.ts'
import { diceOf } from '../support/dice.ts'
import { lowercase } from '../support/parties.ts'
import { sum } from '../support/sum.ts'
import { lastBlockBefore, nowOf } from './agreement-series.ts'
import { ask, type Indexed } from './indexed.ts'

/** Statements that are compared. */
const PAIRS = Number(process.env.HISTORY_STATEMENTS ?? 40)
/** Entries of a page, so that statements have several. */
const PAGE = 7

type Unit = { tokenInfo: { address: Address } | null; vault: { address: Address } | null }
type Balance = Unit & { account: string; entryCount: number; hash: string } & Record<Figure, string>
type Figure = 'opening' | 'increases' | 'decreases' | 'closing'
type Entry = Unit & { position: string; account: string; amount: string; balanceAfter: string; at: string }
type Total = Unit & { account: string; amount: string; entryCount: number }
type Statement = { balances: Balance[]; totals: Total[]; entries: Entry[] }
type Subject = { field: 'account' | 'vault' | 'issuer'; address: Address }

const UNIT = 'account tokenInfo { address } vault { address }'

/** @param indexed what is there once the tests run */
export function describeStatements(seed: number, indexed: () => Indexed): void {
  const keyOf = ({ account, tokenInfo, vault }: Unit & { account: string }) =>
    `${account} ${(tokenInfo ?? vault)?.address}`

  async function read({ field, address }: Subject, from: bigint, to: bigint): Promise<Statement> {
    const statement = async (selection: string) => {
      const period = `from: "${iso(from)}", to: "${iso(to)}"`
      const query = `{ ${field}(address: "${address}") { statement(${period}) { ${selection} } } }`
      return (await ask(indexed(), query))[field].statement
    }
    const { balances, totals } = await statement(
      `balances { ${UNIT} opening increases decreases closing entryCount hash } totals { ${UNIT} amount entryCount }`,
    )
    const entries: Entry[] = []
    while (true) {
      const read = await statement(
        `entries(first: ${PAGE}, skip: ${entries.length}) { position ${UNIT} amount balanceAfter at }`,
      )
      entries.push(...read.entries)
      if (read.entries.length < PAGE) return { balances, totals, entries }
    }
  }

  function subjects(): Subject[] {
    const { truth } = indexed()
    const wallets = new Set(
      [
        ...truth.activity.map(({ wallet }) => wallet),
        ...truth.vault_position.map(({ owner }) => owner),
        ...truth.settlement.map(({ payer }) => payer),
      ].map(lowercase),
    )
    return [
      ...[...wallets].map((address): Subject => ({ field: 'account', address })),
      ...truth.vault.map(({ address }): Subject => ({ field: 'vault', address })),
      ...truth.issuer.map(({ address }): Subject => ({ field: 'issuer', address })),
    ]
  }

  /** The balances that are not zero, as the contracts state them after a block; `CASH` as the logs until it add up. */
  async function stateOf({ field, address }: Subject, blockNumber: bigint): Promise<Record<string, string>> {
    const { world, truth } = indexed()
    const { chain, protocol } = world
    const at = { blockNumber } as const
    const found: [string, bigint][] = []
    const claims = truth.claim.filter((claim) => claim.registered_block <= blockNumber)
    const stateOfClaim = (id: `0x${string}`) =>
      chain.readContract({
        abi: claimRegistryAbi,
        address: protocol.claimRegistry,
        functionName: 'claim',
        args: [id],
        ...at,
      })
    if (field === 'vault') {
      const vault = truth.vault.find((row) => row.address === address)
      if (!vault || vault.registered_block > blockNumber) return {}
      const read = { abi: financingVaultAbi, address, ...at } as const
      found.push(
        [`IDLE ${vault.token}`, await chain.readContract({ ...read, functionName: 'idleAssets' })],
        [
          `ADVANCED ${vault.token}`,
          await chain.readContract({ ...read, functionName: 'outstandingAdvance' }),
        ],
        [`ISSUED ${address}`, await chain.readContract({ ...read, functionName: 'totalSupply' })],
      )
    }
    if (field === 'issuer') {
      for (const { id, token } of claims.filter(({ issuer }) => issuer === address)) {
        const { state, faceValue, paidFaceValue } = await stateOfClaim(id)
        if (state !== REVOKED) found.push([`OWED ${token}`, faceValue - paidFaceValue])
      }
    }
    if (field === 'account') {
      for (const { id, token } of claims.filter(({ beneficiary }) => beneficiary === address)) {
        const claim = await stateOfClaim(id)
        if (claim.state === REVOKED) continue
        const slices = await chain.readContract({
          abi: claimRegistryAbi,
          address: protocol.claimRegistry,
          functionName: 'allocations',
          args: [id],
          ...at,
        })
        const own = claim.faceValue - sum(slices.map(({ faceAmount }) => faceAmount))
        found.push([`RECEIVABLE ${token}`, own - shareOfBeneficiary(claim, slices)])
      }
      for (const { address: token } of truth.token) {
        const args = [address, token] as const
        const router = { abi: financingRouterAbi, address: protocol.financingRouter, ...at } as const
        found.push(
          [`CREDIT ${token}`, await chain.readContract({ ...router, functionName: 'credits', args })],
          [`CASH ${token}`, cashOf(address, token, blockNumber)],
        )
      }
      for (const vault of truth.vault.filter((row) => row.registered_block <= blockNumber)) {
        const read = { abi: financingVaultAbi, address: vault.address, ...at } as const
        const shares = await chain.readContract({ ...read, functionName: 'balanceOf', args: [address] })
        found.push([`SHARES ${vault.address}`, shares])
      }
    }
    const sums = new Map<string, bigint>()
    for (const [key, amount] of found) sums.set(key, (sums.get(key) ?? 0n) + amount)
    return Object.fromEntries(
      [...sums].flatMap(([key, amount]) => (amount === 0n ? [] : [[key, String(amount)]])),
    )
  }

  /** Tokens that the router and the vaults paid for a wallet, less those that it paid. */
  function cashOf(wallet: Address, token: Address, until: bigint): bigint {
    const { history, truth } = indexed()
    const beneficiaryOf = new Map(truth.claim.map(({ id, beneficiary }) => [id, beneficiary]))
    const tokenOfClaim = new Map(truth.claim.map(({ id, token }) => [id, token]))
    const tokenOfVault = new Map(truth.vault.map(({ address, token }) => [address, token]))
    const is = (one: Address | undefined) => one !== undefined && lowercase(one) === wallet
    const before = <L extends { blockNumber: bigint }>(logs: readonly L[]) =>
      logs.filter(({ blockNumber }) => blockNumber <= until)
    const total = <L>(logs: readonly L[], amount: (log: L) => bigint) => sum(logs.map(amount))
    const isVault = tokenOfVault.has(wallet)
    const ofClaim = (id: `0x${string}`) => tokenOfClaim.get(id) === token
    const ofVault = (address: Address) => tokenOfVault.get(lowercase(address)) === token
    const ofToken = (address: Address) => lowercase(address) === token
    return (
      total(
        before(history.legs).filter(
          ({ args }) => is(beneficiaryOf.get(args.claimId)) && ofClaim(args.claimId),
        ),
        ({ args }) => args.advanceAmount,
      ) +
      total(
        before(history.payments).filter(
          ({ args }) => is(beneficiaryOf.get(args.claimId)) && ofClaim(args.claimId),
        ),
        ({ args }) => args.beneficiaryAmount,
      ) -
      total(
        before(history.payments).filter(({ args }) => is(args.payer) && ofClaim(args.claimId)),
        ({ args }) => args.faceAmount,
      ) -
      total(
        before(history.credited).filter(({ args }) => !isVault && is(args.account) && ofToken(args.token)),
        ({ args }) => args.amount,
      ) +
      total(
        before(history.creditsWithdrawn).filter(
          ({ args }) => !isVault && is(args.account) && ofToken(args.token),
        ),
        ({ args }) => args.amount,
      ) +
      total(
        before(history.withdrawals).filter(({ args, address }) => is(args.owner) && ofVault(address)),
        ({ args }) => args.assets,
      ) -
      total(
        before(history.deposits).filter(({ args, address }) => is(args.owner) && ofVault(address)),
        ({ args }) => args.assets,
      )
    )
  }

  it('opens and closes with what the contracts state, and its entries lead from one to the other', async () => {
    const { world, block, history } = indexed()
    const dice = diceOf(seededRandom(seed))
    const [subject, ...others] = subjects()
    if (!subject) throw new Error('the history has no subjects')
    const start = history.start.at
    const end = (await nowOf(indexed())) + 1n
    const lastBlock = lastBlockBefore(world, block)
    const timeBetween = (low: bigint, high: bigint) => low + BigInt(dice.between(0, Number(high - low)))
    const kinds = new Set<string>()
    for (let i = 0; i < PAIRS; i++) {
      const of = dice.pick([subject, ...others])
      const from = timeBetween(start, end - 1n)
      const to = dice.chance(0.2) ? end : timeBetween(from + 1n, end)
      const statement = await read(of, from, to)
      const closing = statement.balances.flatMap((own) =>
        own.closing === '0' ? [] : [[keyOf(own), own.closing]],
      )
      expect([of, to, Object.fromEntries(closing)]).toEqual([of, to, await stateOf(of, await lastBlock(to))])
      const opening = statement.balances.flatMap((own) =>
        own.opening === '0' ? [] : [[keyOf(own), own.opening]],
      )
      expect([of, from, Object.fromEntries(opening)]).toEqual([
        of,
        from,
        await stateOf(of, await lastBlock(from)),
      ])
      checkEntries(statement, from, to)
      for (const { account } of statement.balances) kinds.add(account)
    }
    console.log(`${PAIRS} statements were compared, with ${[...kinds].toSorted().join(', ')}`)
  })

  it('continues the statement of the period before', async () => {
    const { history } = indexed()
    const [start, end] = [history.start.at, (await nowOf(indexed())) + 1n]
    const middle = (start + end) / 2n
    for (const subject of subjects().slice(0, 6)) {
      const [whole, first, second] = [
        await read(subject, start, end),
        await read(subject, start, middle),
        await read(subject, middle, end),
      ]
      const positions = ({ entries }: Statement) =>
        entries.map(({ position, ...entry }) => [position, keyOf(entry), entry.balanceAfter])
      expect([...positions(first), ...positions(second)]).toEqual(positions(whole))
    }
  })

  function checkEntries({ balances, totals, entries }: Statement, from: bigint, to: bigint) {
    const positions = entries.map(({ position }) => position)
    expect(positions).toEqual([...new Set(positions)])
    for (const { at } of entries) {
      expect(BigInt(Date.parse(at) / 1000) >= from && BigInt(Date.parse(at) / 1000) < to).toBe(true)
    }
    for (const balance of balances) {
      const own = entries.filter((entry) => keyOf(entry) === keyOf(balance))
      const amounts = own.map(({ amount }) => BigInt(amount))
      let after = BigInt(balance.opening)
      for (const entry of own) {
        after += BigInt(entry.amount)
        expect(entry.balanceAfter).toBe(String(after))
      }
      const lines = own.map(({ position, amount }) => `${position}:${amount}\n`).join('')
      expect(balance).toMatchObject({
        increases: String(sum(amounts.filter((amount) => amount > 0n))),
        decreases: String(-sum(amounts.filter((amount) => amount < 0n))),
        closing: String(after),
        entryCount: own.length,
        hash: createHash('sha256').update(lines).digest('hex'),
      })
      const kinds = totals.filter((total) => keyOf(total) === keyOf(balance))
      expect(sum(kinds.map(({ amount }) => BigInt(amount)))).toBe(sum(amounts))
      expect(kinds.reduce((count, { entryCount }) => count + entryCount, 0)).toBe(own.length)
    }
    const counted = balances.reduce((count, { entryCount }) => count + entryCount, 0)
    expect(counted).toBe(entries.length)
  }
}

/** `ClaimState.REVOKED` of the contracts. */
const REVOKED = 5

/** Payments less the share of each slice, rounded down. */
function shareOfBeneficiary(
  { faceValue, paidFaceValue }: { faceValue: bigint; paidFaceValue: bigint },
  slices: readonly { faceAmount: bigint }[],
): bigint {
  let [rest, face] = [paidFaceValue, faceValue]
  for (const { faceAmount } of slices) {
    rest -= (faceAmount * rest) / face
    face -= faceAmount
  }
  return rest
}
