/** Statements, from the events of a subject one by one. */
import { createHash } from 'node:crypto'
import { sum } from '../../support/sum.ts'
import type { Args } from './pages.ts'
import { compare, find, integer, type Row, rowsOf, text, type World } from './rows.ts'

type Change = readonly [account: string, unit: string, amount: bigint]
type Entry = {
  readonly id: bigint
  readonly part: bigint
  readonly account: string
  readonly unit: string
  readonly kind: string
  readonly amount: bigint
  readonly place: Row
  readonly counterparty: string | null
  readonly claimId: string | null
  readonly executionId: string | null
}
type Facts = Partial<Pick<Entry, 'counterparty' | 'claimId' | 'executionId'>>

const NO_FACTS = { counterparty: null, claimId: null, executionId: null }

/** The entries of one event. Those of no amount keep their place. */
function entriesOfEvent(
  place: Row,
  id: bigint,
  kind: string,
  changes: readonly Change[],
  facts: Facts,
  first = 0,
): Entry[] {
  return changes.flatMap(([account, unit, amount], i) =>
    amount === 0n
      ? []
      : [{ id, part: BigInt(first + i), account, unit, kind, amount, place, ...NO_FACTS, ...facts }],
  )
}

function ofWallet(wallet: string, world: World): Entry[] {
  const isVault = find(world, 'Vault', wallet) !== null
  const claimOf = (row: Row) => find(world, 'Claim', row.claimId ?? null) ?? {}
  const activity = rowsOf(world, 'Activity').filter((row) => row.wallet === wallet)
  const entries = activity.flatMap((row) => {
    const [id, token, amount] = [integer(row, 'id'), text(row, 'token'), integer(row, 'amount')]
    const facts = () => ({ claimId: text(row, 'claimId'), counterparty: text(claimOf(row), 'issuer') })
    switch (row.kind) {
      case 'CLAIM_REGISTERED':
        return entriesOfEvent(row, id, 'CLAIM_REGISTERED', [['RECEIVABLE', token, amount]], facts())
      case 'CLAIM_REVOKED':
        return claimOf(row).state === 'REVOKED'
          ? entriesOfEvent(row, id, 'CLAIM_REVOKED', [['RECEIVABLE', token, -amount]], facts())
          : []
      case 'EXECUTION':
        return rowsOf(world, 'ExecutionLeg')
          .filter(({ executionId }) => executionId === row.executionId)
          .flatMap((leg) => {
            const changes: Change[] = [
              ['RECEIVABLE', token, -integer(leg, 'faceAmount')],
              ['CASH', token, integer(leg, 'advanceAmount')],
            ]
            const { claimId, executionId } = {
              claimId: text(leg, 'claimId'),
              executionId: text(leg, 'executionId'),
            }
            const own = { claimId, executionId, counterparty: text(leg, 'vault') }
            return entriesOfEvent(row, id, 'FINANCED', changes, own, 2 * Number(leg.legIndex))
          })
      case 'CREDITED': {
        const changes: Change[] = [
          ['CASH', token, isVault ? 0n : -amount],
          ['CREDIT', token, amount],
        ]
        return entriesOfEvent(row, id, 'CREDITED', changes, { claimId: text(row, 'claimId') })
      }
      case 'CREDIT_WITHDRAWN':
        return entriesOfEvent(
          row,
          id,
          'CREDIT_WITHDRAWN',
          [
            ['CREDIT', token, -amount],
            ['CASH', token, isVault ? 0n : amount],
          ],
          {},
        )
      default:
        return []
    }
  })
  const payments = rowsOf(world, 'Settlement').flatMap((row) => {
    const [token, claimId] = [text(row, 'token'), text(row, 'claimId')]
    const [payer, beneficiary] = [text(row, 'payer'), text(row, 'beneficiary')]
    const received = integer(row, 'beneficiaryAmount')
    const changes: Change[] = [
      ['RECEIVABLE', token, -received],
      ['CASH', token, received],
    ]
    const paid: Change[] = [['CASH', token, -integer(row, 'faceAmount')]]
    return [
      ...(beneficiary === wallet
        ? entriesOfEvent(row, integer(row, 'id') + 1n, 'CLAIM_PAID', changes, {
            claimId,
            counterparty: payer,
          })
        : []),
      ...(payer === wallet
        ? entriesOfEvent(row, integer(row, 'id'), 'PAYMENT_MADE', paid, {
            claimId,
            counterparty: beneficiary,
          })
        : []),
    ]
  })
  return [...entries, ...payments, ...ofPositions(wallet, world)]
}

function ofPositions(owner: string, world: World): Entry[] {
  return rowsOf(world, 'PositionChange')
    .filter((row) => row.owner === owner)
    .flatMap((row) => {
      const [id, vault] = [integer(row, 'id'), text(row, 'vault')]
      const [assets, shares] = [integer(row, 'assets'), integer(row, 'shares')]
      const token = text(find(world, 'Vault', vault) ?? {}, 'token')
      const other = { counterparty: typeof row.counterparty === 'string' ? row.counterparty : vault }
      switch (row.kind) {
        case 'DEPOSIT':
          return entriesOfEvent(
            row,
            id,
            'DEPOSIT',
            [
              ['CASH', token, -assets],
              ['SHARES', vault, shares],
            ],
            other,
          )
        case 'WITHDRAWAL':
          return entriesOfEvent(
            row,
            id,
            'WITHDRAWAL',
            [
              ['SHARES', vault, -shares],
              ['CASH', token, assets],
            ],
            other,
          )
        case 'SENT':
          return entriesOfEvent(row, id, 'SHARES_SENT', [['SHARES', vault, -shares]], other)
        default:
          return entriesOfEvent(row, id, 'SHARES_RECEIVED', [['SHARES', vault, shares]], other)
      }
    })
}

function ofVault(vault: string, world: World): Entry[] {
  const token = text(find(world, 'Vault', vault) ?? {}, 'token')
  const changes = rowsOf(world, 'PositionChange').filter((row) => row.vault === vault)
  const positions = changes.flatMap((row) => {
    const sign = row.kind === 'DEPOSIT' ? 1n : row.kind === 'WITHDRAWAL' ? -1n : 0n
    const own: Change[] = [
      ['IDLE', token, sign * integer(row, 'assets')],
      ['ISSUED', vault, sign * integer(row, 'shares')],
    ]
    return entriesOfEvent(row, integer(row, 'id'), String(row.kind), own, {
      counterparty: text(row, 'owner'),
    })
  })
  const capital = rowsOf(world, 'CapitalChange').filter((row) => row.vault === vault && row.claimId !== null)
  const slices = capital.flatMap((row) => {
    const claim = find(world, 'Claim', text(row, 'claimId')) ?? {}
    const slice = rowsOf(world, 'Allocation').find(
      ({ claimId, sliceIndex }) => claimId === row.claimId && sliceIndex === row.sliceIndex,
    )
    const [amount, discount] = [integer(row, 'amount'), integer(row, 'discount')]
    const isFunding = row.kind === 'FUNDING'
    const own: Change[] = isFunding
      ? [
          ['IDLE', token, -amount],
          ['ADVANCED', token, amount],
        ]
      : [
          ['IDLE', token, amount],
          ['ADVANCED', token, discount - amount],
        ]
    return entriesOfEvent(row, integer(row, 'id'), isFunding ? 'FINANCED' : 'REPAYMENT', own, {
      claimId: text(row, 'claimId'),
      executionId: text(slice ?? {}, 'executionId'),
      counterparty: text(claim, isFunding ? 'beneficiary' : 'issuer'),
    })
  })
  return [...positions, ...slices]
}

function ofIssuer(issuer: string, world: World): Entry[] {
  const kinds: Readonly<Record<string, readonly [kind: string, sign: bigint]>> = {
    CLAIM_REGISTERED: ['CLAIM_REGISTERED', 1n],
    CLAIM_REVOKED: ['CLAIM_REVOKED', -1n],
    SETTLEMENT_PAID: ['CLAIM_PAID', -1n],
  }
  return rowsOf(world, 'Activity').flatMap((row) => {
    const claim = row.claimId == null ? null : find(world, 'Claim', row.claimId)
    const [kind, sign] = kinds[String(row.kind)] ?? []
    if (claim?.issuer !== issuer || !kind || sign === undefined) return []
    if (kind === 'CLAIM_REVOKED' && claim.state !== 'REVOKED') return []
    const own: Change[] = [['OWED', text(row, 'token'), sign * integer(row, 'amount')]]
    const facts = { claimId: text(row, 'claimId'), counterparty: text(row, 'wallet') }
    return entriesOfEvent(row, integer(row, 'id'), kind, own, facts)
  })
}

const statementOf =
  (subject: 'wallet' | 'vault' | 'issuer') =>
  ({ address = null }: Row, _: World, { from, to }: Args): Row => ({
    subject,
    address,
    from: BigInt(String(from)),
    to: BigInt(String(to)),
  })

const keyOf = ({ account, unit }: Pick<Entry, 'account' | 'unit'>) => `${account} ${unit}`

/** Entries before the end of the statement, in the order of the chain. */
function entriesOf({ subject, address, to }: Row, world: World): Entry[] {
  const read = subject === 'wallet' ? ofWallet : subject === 'vault' ? ofVault : ofIssuer
  return read(String(address), world)
    .filter(({ place }) => integer(place, 'at') < BigInt(String(to)))
    .toSorted((a, b) => compare(a.id, b.id) || compare(a.part, b.part))
}

const isWithin =
  ({ from }: Row) =>
  ({ place }: Entry) =>
    integer(place, 'at') >= BigInt(String(from))

const amountOf = (entries: readonly Entry[]) => sum(entries.map(({ amount }) => amount))

function balancesOf(statement: Row, world: World) {
  const groups = [...Map.groupBy(entriesOf(statement, world), keyOf).entries()].toSorted(([a], [b]) =>
    compare(a, b),
  )
  return groups.flatMap(([, all]) => {
    const own = all.filter(isWithin(statement))
    const closing = amountOf(all)
    const opening = closing - amountOf(own)
    const [first] = all
    if (!first || (opening === 0n && own.length === 0)) return []
    const lines = own.map(({ id, part, amount }) => `${id}:${part}:${amount}\n`).join('')
    return [
      {
        account: first.account,
        unit: first.unit,
        opening,
        increases: amountOf(own.filter(({ amount }) => amount > 0n)),
        decreases: -amountOf(own.filter(({ amount }) => amount < 0n)),
        closing,
        entryCount: own.length,
        hash: createHash('sha256').update(lines).digest('hex'),
      },
    ]
  })
}

function totalsOf(statement: Row, world: World) {
  const own = entriesOf(statement, world).filter(isWithin(statement))
  const groups = [...Map.groupBy(own, (entry) => `${keyOf(entry)} ${entry.kind}`).entries()]
  return groups
    .toSorted(([a], [b]) => compare(a, b))
    .flatMap(([, entries]) => {
      const [first] = entries
      if (!first) return []
      const { account, unit, kind } = first
      return [{ account, unit, kind, amount: amountOf(entries), entryCount: entries.length }]
    })
}

function pageOf(statement: Row, world: World, { first, skip }: Args) {
  const balances = new Map<string, bigint>()
  const all = entriesOf(statement, world).map((entry) => {
    const balanceAfter = (balances.get(keyOf(entry)) ?? 0n) + entry.amount
    balances.set(keyOf(entry), balanceAfter)
    return { entry, balanceAfter }
  })
  const within = all.filter(({ entry }) => isWithin(statement)(entry))
  return within.slice(Number(skip), Number(skip) + Number(first)).map(({ entry, balanceAfter }) => {
    const { place, id, part, ...own } = entry
    const { at = null, block = null, tx = null } = place
    return { ...own, position: `${id}:${part}`, balanceAfter, at, block, tx }
  })
}

/** The token or the vault of an amount. */
const unitAs = (type: string) => (row: Row, world: World) => find(world, type, row.unit ?? null)

export const statementValues = {
  'Account.statement': statementOf('wallet'),
  'Vault.statement': statementOf('vault'),
  'Issuer.statement': statementOf('issuer'),
  'Statement.isComplete': ({ to }: Row, { block }: World) => block.timestamp >= BigInt(String(to)),
  'Statement.balances': balancesOf,
  'Statement.totals': totalsOf,
  'Statement.entries': pageOf,
  'StatementBalance.tokenInfo': unitAs('Token'),
  'StatementBalance.vault': unitAs('Vault'),
  'StatementTotal.tokenInfo': unitAs('Token'),
  'StatementTotal.vault': unitAs('Vault'),
  'StatementEntry.tokenInfo': unitAs('Token'),
  'StatementEntry.vault': unitAs('Vault'),
  'StatementEntry.counterparty': ({ counterparty = null }: Row) =>
    counterparty === null ? null : { address: counterparty },
}
