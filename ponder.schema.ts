/**
 * The projection: the state of the protocol at the last finalized block, one table per noun. Amounts are base units,
 * `…At` columns are Unix seconds, addresses and hashes are lowercase. `api/projection` derives its table types from
 * this file, so a column is declared here and nowhere else. Every order that a list is served in has an index here: of
 * the whole table, and of each parent that has such a list. So has every column of a filter, but those that its source
 * in `api/projection` declares as `unindexed`.
 *
 * A column holds every value that its event argument can have: `t.integer()` (32 bits, signed) the unsigned types up to
 * 16 bits and counts of events, `t.bigint()` (78 digits) all others, `t.numeric(SUM)` (no limit) their sums.
 */
import { index, onchainTable, primaryKey, sql } from 'ponder'

export type ClaimState = 'ELIGIBLE' | 'PARTIALLY_FUNDED' | 'FULLY_FUNDED' | 'SETTLED' | 'REVOKED' | 'CLOSED'
export type ExecutionKind = 'ROUTE' | 'DIRECT'
export type CapitalChangeKind = 'DEPOSIT' | 'WITHDRAWAL' | 'FUNDING' | 'REPAYMENT'
export type PositionChangeKind = 'DEPOSIT' | 'WITHDRAWAL' | 'SENT' | 'RECEIVED'
export type ActivityKind =
  | 'CLAIM_REGISTERED'
  | 'CLAIM_REVOKED'
  | 'EXECUTION'
  | 'SETTLEMENT_PAID'
  | 'SETTLEMENT_RECEIVED'
  | 'VAULT_DEPOSIT'
  | 'VAULT_WITHDRAWAL'
  | 'CREDITED'
  | 'CREDIT_WITHDRAWN'

/** For sums of amounts: nine of the largest amounts do not fit 78 digits. */
const SUM = { mode: 'bigint' } as const

/** For the place of a row's event on the chain, `ordinalOf`. Orders end with it where two rows can be equal. */
const ORDINAL = { mode: 'bigint' } as const

/** One row, `id` = the router's address. */
export const router = onchainTable('router', (t) => ({
  id: t.hex().primaryKey(),
  paused: t.boolean().notNull(),
  changedBlock: t.bigint().notNull(),
  changedAt: t.bigint().notNull(),
}))

export const issuer = onchainTable(
  'issuer',
  (t) => ({
    address: t.hex().primaryKey(),
    active: t.boolean().notNull(),
    claimCount: t.integer().notNull(),
    addedBlock: t.bigint().notNull(),
    addedAt: t.bigint().notNull(),
    changedAt: t.bigint().notNull(),
  }),
  (table) => ({
    byAddedAt: index().on(table.addedAt, table.address),
    byClaimCount: index().on(table.claimCount, table.address),
  }),
)

/** Answers of a token when it was first listed. Texts are empty where it gave none. */
export const token = onchainTable(
  'token',
  (t) => ({
    address: t.hex().primaryKey(),
    symbol: t.text().notNull(),
    name: t.text().notNull(),
    decimals: t.integer().notNull(),
    listed: t.boolean().notNull(),
    addedBlock: t.bigint().notNull(),
    addedAt: t.bigint().notNull(),
    changedBlock: t.bigint().notNull(),
    changedAt: t.bigint().notNull(),
  }),
  (table) => ({ byAddedAt: index().on(table.addedAt, table.address) }),
)

export const claim = onchainTable(
  'claim',
  (t) => ({
    id: t.hex().primaryKey(),
    issuer: t.hex().notNull(),
    beneficiary: t.hex().notNull(),
    token: t.hex().notNull(),
    faceValue: t.bigint().notNull(),
    financedFaceValue: t.bigint().notNull(),
    /** Sum of its settlements. */
    paidFaceValue: t.bigint().notNull(),
    dueAt: t.bigint().notNull(),
    claimType: t.integer().notNull(),
    sliceCount: t.integer().notNull(),
    state: t.text().$type<ClaimState>().notNull(),
    documentHash: t.hex().notNull(),
    registeredBlock: t.bigint().notNull(),
    registeredAt: t.bigint().notNull(),
    registeredTx: t.hex().notNull(),
    ordinal: t.int8(ORDINAL).notNull(),
    /** 1 for the first claim of its issuer, 2 for the second, and so on. */
    issuerClaimNumber: t.integer().notNull(),
    changedBlock: t.bigint().notNull(),
    changedAt: t.bigint().notNull(),
  }),
  (table) => ({
    byBeneficiary: index().on(table.beneficiary, table.registeredAt, table.ordinal),
    byBeneficiaryDueAt: index().on(table.beneficiary, table.dueAt, table.ordinal),
    byBeneficiaryFaceValue: index().on(table.beneficiary, table.faceValue, table.ordinal),
    byIssuer: index().on(table.issuer, table.registeredAt, table.ordinal),
    byIssuerDueAt: index().on(table.issuer, table.dueAt, table.ordinal),
    byIssuerFaceValue: index().on(table.issuer, table.faceValue, table.ordinal),
    byState: index().on(table.state, table.registeredAt, table.ordinal),
    byStateDueAt: index().on(table.state, table.dueAt, table.ordinal),
    byToken: index().on(table.token, table.registeredAt, table.ordinal),
    byTokenFaceValue: index().on(table.token, table.faceValue, table.ordinal),
    byRegisteredAt: index().on(table.registeredAt, table.ordinal),
    byDueAt: index().on(table.dueAt, table.ordinal),
    byFaceValue: index().on(table.faceValue, table.ordinal),
    byClaimType: index().on(table.claimType, table.registeredAt, table.ordinal),
    byDocumentHash: index().on(table.documentHash),
  }),
)

/** The part of a claim that one vault financed: slice `sliceIndex` of the claim. */
export const allocation = onchainTable(
  'allocation',
  (t) => ({
    claimId: t.hex().notNull(),
    sliceIndex: t.integer().notNull(),
    vault: t.hex().notNull(),
    executionId: t.hex().notNull(),
    // of the claim, so that allocations can be grouped by them
    token: t.hex().notNull(),
    issuer: t.hex().notNull(),
    claimType: t.integer().notNull(),
    dueAt: t.bigint().notNull(),
    /** Whether its whole face is paid. Its vault may be repaid later: `repaidAt`. */
    settled: t.boolean().notNull(),
    faceAmount: t.bigint().notNull(),
    advanceAmount: t.bigint().notNull(),
    /** Face that settlements have paid. */
    paidFace: t.bigint().notNull(),
    /** The part of it that the vault has received; the router holds the rest. */
    repaidFace: t.bigint().notNull(),
    fundedBlock: t.bigint().notNull(),
    fundedAt: t.bigint().notNull(),
    ordinal: t.int8(ORDINAL).notNull(),
    // of the repayment that completed the face
    repaidBlock: t.bigint(),
    repaidAt: t.bigint(),
  }),
  (table) => ({
    pk: primaryKey({ columns: [table.claimId, table.sliceIndex] }),
    byVault: index().on(table.vault, table.fundedAt, table.ordinal),
    byVaultFaceAmount: index().on(table.vault, table.faceAmount, table.ordinal),
    byFundedAt: index().on(table.fundedAt, table.ordinal),
    byVaultDueAt: index().on(table.vault, table.settled, table.dueAt),
    byIssuerDueAt: index().on(table.issuer, table.settled, table.dueAt),
    byTokenDueAt: index().on(table.token, table.settled, table.dueAt),
    /** Those that the router holds a payment of: few at any time. */
    byHeld: index().on(table.token, table.vault).where(sql`settled and repaid_face < face_amount`),
    byFaceAmount: index().on(table.faceAmount, table.ordinal),
  }),
)

export const vault = onchainTable(
  'vault',
  (t) => ({
    address: t.hex().primaryKey(),
    token: t.hex().notNull(),
    curator: t.hex().notNull(),
    name: t.text().notNull(),
    symbol: t.text().notNull(),
    active: t.boolean().notNull(),
    // mandate
    supportedTypesBitmap: t.bigint().notNull(),
    minDurationDays: t.bigint().notNull(),
    maxDurationDays: t.bigint().notNull(),
    minFace: t.bigint().notNull(),
    maxFace: t.bigint().notNull(),
    maxClaimFace: t.bigint().notNull(),
    maxIssuerFace: t.bigint().notNull(),
    // pricing
    baseDiscountBps: t.integer().notNull(),
    durationBpsPerDay: t.integer().notNull(),
    premiumBps: t.integer().array().notNull(),
    /** Seconds between the submission of terms and the time from which they can take effect. */
    noticePeriod: t.bigint().notNull(),
    // capital
    idleAssets: t.bigint().notNull(),
    outstandingFace: t.bigint().notNull(),
    outstandingAdvance: t.bigint().notNull(),
    totalShares: t.bigint().notNull(),
    // `lines` of the contract: the value of what is financed, until the day after `throughDay` begins; see `valueDay`
    gainPerSecond: t.numeric(SUM).notNull(),
    gainOffset: t.numeric(SUM).notNull(),
    lossPerSecond: t.numeric(SUM).notNull(),
    lossOffset: t.numeric(SUM).notNull(),
    /** Midnight in Unix seconds. */
    throughDay: t.bigint().notNull(),
    /** Discount booked as gain by repayments so far. */
    discountEarned: t.numeric(SUM).notNull(),
    registeredBlock: t.bigint().notNull(),
    registeredAt: t.bigint().notNull(),
    changedBlock: t.bigint().notNull(),
    changedAt: t.bigint().notNull(),
  }),
  (table) => ({
    byToken: index().on(table.token, table.registeredAt, table.address),
    byCurator: index().on(table.curator, table.registeredAt, table.address),
    byRegisteredAt: index().on(table.registeredAt, table.address),
    byBaseDiscountBps: index().on(table.baseDiscountBps, table.address),
    byIdleAssets: index().on(table.idleAssets, table.address),
    byOutstandingFace: index().on(table.outstandingFace, table.address),
  }),
)

/**
 * Status, curator, mandate and pricing of a vault from a block on, until its next row. A row has the values after all
 * events of its block, so that a vault can be read as it was.
 */
export const vaultVersion = onchainTable(
  'vault_version',
  (t) => ({
    vault: t.hex().notNull(),
    block: t.bigint().notNull(),
    at: t.bigint().notNull(),
    curator: t.hex().notNull(),
    active: t.boolean().notNull(),
    supportedTypesBitmap: t.bigint().notNull(),
    minDurationDays: t.bigint().notNull(),
    maxDurationDays: t.bigint().notNull(),
    minFace: t.bigint().notNull(),
    maxFace: t.bigint().notNull(),
    maxClaimFace: t.bigint().notNull(),
    maxIssuerFace: t.bigint().notNull(),
    baseDiscountBps: t.integer().notNull(),
    durationBpsPerDay: t.integer().notNull(),
    premiumBps: t.integer().array().notNull(),
  }),
  (table) => ({ pk: primaryKey({ columns: [table.vault, table.block] }), byAt: index().on(table.at) }),
)

/**
 * Status of a registered address from a block on, until its next row: whether an issuer is active, a token is listed,
 * or the router is paused.
 */
export const statusVersion = onchainTable(
  'status_version',
  (t) => ({
    subject: t.hex().notNull(),
    block: t.bigint().notNull(),
    at: t.bigint().notNull(),
    status: t.boolean().notNull(),
  }),
  (table) => ({ pk: primaryKey({ columns: [table.subject, table.block] }), byAt: index().on(table.at) }),
)

/**
 * Terms of a vault for one claim type that its mandate supports. `totalBps…` is the whole discount (base, premium of
 * the type, duration) of a claim that is due now, in 30 days, in 90 days: vaults are compared by it.
 */
export const vaultTerms = onchainTable(
  'vault_terms',
  (t) => ({
    vault: t.hex().notNull(),
    claimType: t.integer().notNull(),
    token: t.hex().notNull(),
    active: t.boolean().notNull(),
    minDurationDays: t.bigint().notNull(),
    maxDurationDays: t.bigint().notNull(),
    minFace: t.bigint().notNull(),
    maxFace: t.bigint().notNull(),
    maxClaimFace: t.bigint().notNull(),
    maxIssuerFace: t.bigint().notNull(),
    durationBpsPerDay: t.integer().notNull(),
    totalBpsNow: t.integer().notNull(),
    totalBpsMonth: t.integer().notNull(),
    totalBpsQuarter: t.integer().notNull(),
  }),
  (table) => ({
    pk: primaryKey({ columns: [table.vault, table.claimType] }),
    byTotalBpsNow: index().on(table.claimType, table.totalBpsNow, table.vault),
    byTotalBpsMonth: index().on(table.claimType, table.totalBpsMonth, table.vault),
    byTotalBpsQuarter: index().on(table.claimType, table.totalBpsQuarter, table.vault),
  }),
)

/** Terms that the curator of a vault has submitted and that are not in effect. Without them, a vault has no row. */
export const pendingTerms = onchainTable('pending_terms', (t) => ({
  vault: t.hex().primaryKey(),
  supportedTypesBitmap: t.bigint().notNull(),
  minDurationDays: t.bigint().notNull(),
  maxDurationDays: t.bigint().notNull(),
  minFace: t.bigint().notNull(),
  maxFace: t.bigint().notNull(),
  maxClaimFace: t.bigint().notNull(),
  maxIssuerFace: t.bigint().notNull(),
  baseDiscountBps: t.integer().notNull(),
  durationBpsPerDay: t.integer().notNull(),
  premiumBps: t.integer().array().notNull(),
  /** From then on, anyone can put the terms into effect. */
  effectiveAt: t.bigint().notNull(),
  submittedBlock: t.bigint().notNull(),
  submittedAt: t.bigint().notNull(),
}))

/**
 * Shares of a vault that a wallet holds, at average cost. A row stays when they reach zero.
 *
 * A deposit adds its assets to the cost of the wallet that receives the shares. The cost `costBasis * s / S`, rounded
 * down, leaves with s of S shares: for good when they are burnt, to the receiver when they are transferred. A transfer
 * to oneself changes nothing. The vault is an owner like any other. A withdrawal burns shares in one event, and states
 * its assets in a later one; a token can call other functions between the two.
 *
 * The realized gain is `withdrawn + sent + costBasis - deposited - received`. The unrealized gain is the value of the
 * shares less `costBasis`. So the value is `deposited + received - withdrawn - sent` plus both gains.
 */
export const vaultPosition = onchainTable(
  'vault_position',
  (t) => ({
    vault: t.hex().notNull(),
    owner: t.hex().notNull(),
    shares: t.bigint().notNull(),
    /** Cost of the shares. */
    costBasis: t.numeric(SUM).notNull(),
    deposited: t.numeric(SUM).notNull(),
    withdrawn: t.numeric(SUM).notNull(),
    /** Cost of the shares that other wallets transferred to this one. */
    received: t.numeric(SUM).notNull(),
    /** Cost of the shares that this wallet transferred to others. */
    sent: t.numeric(SUM).notNull(),
    /** The wallet has held shares since then without a break. Null without shares. */
    since: t.bigint(),
  }),
  (table) => ({
    pk: primaryKey({ columns: [table.vault, table.owner] }),
    byOwner: index().on(table.owner, table.vault),
    byShares: index().on(table.shares, table.vault, table.owner),
    byVaultShares: index().on(table.vault, table.shares, table.owner),
    byOwnerShares: index().on(table.owner, table.shares, table.vault),
  }),
)

/**
 * Every deposit, withdrawal and transfer of shares by wallet, with the position right after it. A transfer has a row
 * of each of the two wallets. `id` orders as the chain does.
 */
export const positionChange = onchainTable(
  'position_change',
  (t) => ({
    id: t.int8(ORDINAL).primaryKey(),
    vault: t.hex().notNull(),
    owner: t.hex().notNull(),
    kind: t.text().$type<PositionChangeKind>().notNull(),
    /** Assets that were deposited or withdrawn, or cost that moved with the shares. */
    assets: t.numeric(SUM).notNull(),
    /** Shares that moved. */
    shares: t.bigint().notNull(),
    /** The other wallet of a transfer. */
    counterparty: t.hex(),
    sharesAfter: t.bigint().notNull(),
    costBasisAfter: t.numeric(SUM).notNull(),
    depositedAfter: t.numeric(SUM).notNull(),
    withdrawnAfter: t.numeric(SUM).notNull(),
    receivedAfter: t.numeric(SUM).notNull(),
    sentAfter: t.numeric(SUM).notNull(),
    sinceAfter: t.bigint(),
    realizedGainAfter: t.numeric(SUM).notNull(),
    block: t.bigint().notNull(),
    at: t.bigint().notNull(),
    tx: t.hex().notNull(),
  }),
  (table) => ({
    byVault: index().on(table.vault, table.id),
    byVaultAssets: index().on(table.vault, table.assets, table.id),
    byOwner: index().on(table.owner, table.id),
    byOwnerAssets: index().on(table.owner, table.assets, table.id),
    byPosition: index().on(table.vault, table.owner, table.id),
    byPositionAssets: index().on(table.vault, table.owner, table.assets, table.id),
    byAssets: index().on(table.assets, table.id),
    byAt: index().on(table.at),
  }),
)

/** Every movement of a vault's capital, with the figures of the vault right after it. `id` orders as the chain does. */
export const capitalChange = onchainTable(
  'capital_change',
  (t) => ({
    id: t.int8(ORDINAL).primaryKey(),
    vault: t.hex().notNull(),
    kind: t.text().$type<CapitalChangeKind>().notNull(),
    /** Assets that moved: deposited, withdrawn, advanced, or repaid at face. */
    amount: t.bigint().notNull(),
    // the slice of a funding or a repayment
    claimId: t.hex(),
    sliceIndex: t.integer(),
    /** Discount of the face that is funded or repaid. */
    discount: t.bigint(),
    idleAssets: t.bigint().notNull(),
    outstandingFace: t.bigint().notNull(),
    outstandingAdvance: t.bigint().notNull(),
    totalShares: t.bigint().notNull(),
    // through the day of the movement
    gainPerSecond: t.numeric(SUM).notNull(),
    gainOffset: t.numeric(SUM).notNull(),
    lossPerSecond: t.numeric(SUM).notNull(),
    lossOffset: t.numeric(SUM).notNull(),
    discountEarned: t.numeric(SUM).notNull(),
    block: t.bigint().notNull(),
    at: t.bigint().notNull(),
    tx: t.hex().notNull(),
  }),
  (table) => ({
    byVault: index().on(table.vault, table.id),
    byVaultAmount: index().on(table.vault, table.amount, table.id),
    bySlice: index().on(table.claimId, table.sliceIndex),
    byAmount: index().on(table.amount, table.id),
    byAt: index().on(table.at),
  }),
)

export const execution = onchainTable(
  'execution',
  (t) => ({
    id: t.hex().primaryKey(),
    user: t.hex().notNull(),
    token: t.hex().notNull(),
    kind: t.text().$type<ExecutionKind>().notNull(),
    /** Sender of the transaction: the user, or a relayer of a signed route. */
    submitter: t.hex().notNull(),
    legCount: t.bigint().notNull(),
    totalFace: t.bigint().notNull(),
    totalAdvance: t.bigint().notNull(),
    block: t.bigint().notNull(),
    at: t.bigint().notNull(),
    tx: t.hex().notNull(),
    ordinal: t.int8(ORDINAL).notNull(),
  }),
  (table) => ({
    byUser: index().on(table.user, table.at, table.ordinal),
    byUserTotalFace: index().on(table.user, table.totalFace, table.ordinal),
    byAt: index().on(table.at, table.ordinal),
    byTotalFace: index().on(table.totalFace, table.ordinal),
    byTx: index().on(table.tx),
  }),
)

export const executionLeg = onchainTable(
  'execution_leg',
  (t) => ({
    executionId: t.hex().notNull(),
    legIndex: t.bigint().notNull(),
    claimId: t.hex().notNull(),
    vault: t.hex().notNull(),
    sliceIndex: t.integer().notNull(),
    faceAmount: t.bigint().notNull(),
    advanceAmount: t.bigint().notNull(),
    /** Time of the execution, in seconds. */
    at: t.bigint().notNull(),
    ordinal: t.int8(ORDINAL).notNull(),
  }),
  (table) => ({
    pk: primaryKey({ columns: [table.executionId, table.legIndex] }),
    byClaim: index().on(table.claimId, table.sliceIndex),
    byVault: index().on(table.vault, table.at, table.ordinal),
    byVaultFaceAmount: index().on(table.vault, table.faceAmount, table.ordinal),
    byAt: index().on(table.at, table.ordinal),
    byFaceAmount: index().on(table.faceAmount, table.ordinal),
  }),
)

/** A nonce of the router that its user used up: every route that is signed with it is cancelled. */
export const routeCancellation = onchainTable(
  'route_cancellation',
  (t) => ({
    user: t.hex().notNull(),
    nonce: t.bigint().notNull(),
    block: t.bigint().notNull(),
    at: t.bigint().notNull(),
    tx: t.hex().notNull(),
  }),
  (table) => ({
    pk: primaryKey({ columns: [table.user, table.nonce] }),
    byAt: index().on(table.at, table.user, table.nonce),
  }),
)

/** Payments of claims, whole or in part. `id` orders as the chain does. */
export const settlement = onchainTable(
  'settlement',
  (t) => ({
    id: t.int8(ORDINAL).primaryKey(),
    claimId: t.hex().notNull(),
    payer: t.hex().notNull(),
    beneficiary: t.hex().notNull(),
    token: t.hex().notNull(),
    // of the claim, so that settlements can be grouped by them
    issuer: t.hex().notNull(),
    claimType: t.integer().notNull(),
    /** Face of the claim that it paid. */
    faceAmount: t.bigint().notNull(),
    /** Paid for each slice, to the vault that financed it. */
    sliceAmounts: t.bigint().array().notNull(),
    /** Their sum. */
    vaultsAmount: t.bigint().notNull(),
    /** Paid to the beneficiary, for the face that is not financed. */
    beneficiaryAmount: t.bigint().notNull(),
    block: t.bigint().notNull(),
    at: t.bigint().notNull(),
    tx: t.hex().notNull(),
  }),
  (table) => ({
    byClaim: index().on(table.claimId, table.at, table.id),
    byClaimFaceAmount: index().on(table.claimId, table.faceAmount, table.id),
    byPayer: index().on(table.payer, table.at, table.id),
    byPayerFaceAmount: index().on(table.payer, table.faceAmount, table.id),
    byBeneficiary: index().on(table.beneficiary, table.at, table.id),
    byBeneficiaryFaceAmount: index().on(table.beneficiary, table.faceAmount, table.id),
    byAt: index().on(table.at, table.id),
    byFaceAmount: index().on(table.faceAmount, table.id),
  }),
)

/**
 * The amount that the router holds for an account that a settlement could not pay. A row stays when it
 * reaches zero.
 */
export const credit = onchainTable(
  'credit',
  (t) => ({
    account: t.hex().notNull(),
    token: t.hex().notNull(),
    amount: t.numeric(SUM).notNull(),
  }),
  (table) => ({ pk: primaryKey({ columns: [table.account, table.token] }) }),
)

/** Events of wallets, one row per event and role. The order of `id` is the order of the chain. */
export const activity = onchainTable(
  'activity',
  (t) => ({
    id: t.int8(ORDINAL).primaryKey(),
    wallet: t.hex().notNull(),
    kind: t.text().$type<ActivityKind>().notNull(),
    token: t.hex().notNull(),
    /**
     * Face registered or revoked, advance received, settlement paid or received, assets deposited or withdrawn, credit.
     */
    amount: t.bigint().notNull(),
    claimId: t.hex(),
    executionId: t.hex(),
    vault: t.hex(),
    block: t.bigint().notNull(),
    at: t.bigint().notNull(),
    tx: t.hex().notNull(),
  }),
  (table) => ({
    byWallet: index().on(table.wallet, table.id),
    byWalletAmount: index().on(table.wallet, table.amount, table.id),
    byVault: index().on(table.vault, table.id),
    byVaultAmount: index().on(table.vault, table.amount, table.id),
    byClaim: index().on(table.claimId, table.id),
    byExecution: index().on(table.executionId, table.id),
    byAmount: index().on(table.amount, table.id),
    byAt: index().on(table.at),
  }),
)

/** The claims of one token, state, issuer and type as they are now: how many, and their face. */
export const claimTotal = onchainTable(
  'claim_total',
  (t) => ({
    token: t.hex().notNull(),
    state: t.text().$type<ClaimState>().notNull(),
    issuer: t.hex().notNull(),
    claimType: t.integer().notNull(),
    claims: t.integer().notNull(),
    faceValue: t.numeric(SUM).notNull(),
    financedFaceValue: t.numeric(SUM).notNull(),
  }),
  // Issuer first: an aggregate of one issuer reads only its own rows.
  (table) => ({ pk: primaryKey({ columns: [table.issuer, table.token, table.state, table.claimType] }) }),
)

/**
 * How an issuer pays its claims in one token. A payment counts by the whole days from the due date to it, 0 for one
 * before that.
 */
export const paymentRecord = onchainTable(
  'payment_record',
  (t) => ({
    issuer: t.hex().notNull(),
    token: t.hex().notNull(),
    /** Face of the claims that are not revoked. */
    face: t.numeric(SUM).notNull(),
    /** Face that is paid: the sum of the next six. */
    settled: t.numeric(SUM).notNull(),
    onTime: t.numeric(SUM).notNull(),
    upTo1: t.numeric(SUM).notNull(),
    upTo7: t.numeric(SUM).notNull(),
    upTo30: t.numeric(SUM).notNull(),
    upTo90: t.numeric(SUM).notNull(),
    more: t.numeric(SUM).notNull(),
    /** Part of it that was paid 90 days after the end of the due day or later: the value of the claim was 0 then. */
    recovered: t.numeric(SUM).notNull(),
    /** Sum of each payment's face times its days. */
    faceDays: t.numeric(SUM).notNull(),
    /** `faceDays` over `settled`, hundredths of a day, rounded down; 0 before the first payment. */
    averageDelay: t.numeric(SUM).notNull(),
  }),
  (table) => ({
    pk: primaryKey({ columns: [table.issuer, table.token] }),
    byAverageDelay: index().on(table.averageDelay, table.issuer, table.token),
    bySettled: index().on(table.settled, table.issuer, table.token),
  }),
)

/** Figures of one token on one UTC day; `day` is its midnight in Unix seconds. */
export const tokenDay = onchainTable(
  'token_day',
  (t) => ({
    token: t.hex().notNull(),
    day: t.bigint().notNull(),
    claimsRegistered: t.integer().notNull(),
    faceRegistered: t.numeric(SUM).notNull(),
    executions: t.integer().notNull(),
    faceFinanced: t.numeric(SUM).notNull(),
    advanced: t.numeric(SUM).notNull(),
    settlements: t.integer().notNull(),
    faceSettled: t.numeric(SUM).notNull(),
    // over all vaults of the token
    deposited: t.numeric(SUM).notNull(),
    withdrawn: t.numeric(SUM).notNull(),
    faceRepaid: t.numeric(SUM).notNull(),
    discountEarned: t.numeric(SUM).notNull(),
  }),
  (table) => ({
    pk: primaryKey({ columns: [table.token, table.day] }),
    byDay: index().on(table.day, table.token),
    byFaceFinanced: index().on(table.faceFinanced, table.token, table.day),
  }),
)

/** Figures of one issuer's claims in one token on one UTC day. */
export const issuerDay = onchainTable(
  'issuer_day',
  (t) => ({
    issuer: t.hex().notNull(),
    token: t.hex().notNull(),
    day: t.bigint().notNull(),
    claimsRegistered: t.integer().notNull(),
    faceRegistered: t.numeric(SUM).notNull(),
    allocations: t.integer().notNull(),
    faceFinanced: t.numeric(SUM).notNull(),
    advanced: t.numeric(SUM).notNull(),
    settlements: t.integer().notNull(),
    faceSettled: t.numeric(SUM).notNull(),
    /** The financed part of it, which is due to the vaults. */
    vaultsAmount: t.numeric(SUM).notNull(),
    faceRepaid: t.numeric(SUM).notNull(),
    discountEarned: t.numeric(SUM).notNull(),
  }),
  (table) => ({
    pk: primaryKey({ columns: [table.issuer, table.token, table.day] }),
    byIssuerDay: index().on(table.issuer, table.day, table.token),
    byIssuerFaceFinanced: index().on(table.issuer, table.faceFinanced, table.token, table.day),
    byDay: index().on(table.day, table.issuer, table.token),
    byFaceFinanced: index().on(table.faceFinanced, table.issuer, table.token, table.day),
  }),
)

/** Figures of one vault on one UTC day; the last eight are those after the day's last event. */
export const vaultDay = onchainTable(
  'vault_day',
  (t) => ({
    vault: t.hex().notNull(),
    day: t.bigint().notNull(),
    token: t.hex().notNull(),
    allocations: t.integer().notNull(),
    deposited: t.numeric(SUM).notNull(),
    withdrawn: t.numeric(SUM).notNull(),
    faceFinanced: t.numeric(SUM).notNull(),
    advanced: t.numeric(SUM).notNull(),
    faceRepaid: t.numeric(SUM).notNull(),
    discountEarned: t.numeric(SUM).notNull(),
    idleAssets: t.bigint().notNull(),
    outstandingFace: t.bigint().notNull(),
    outstandingAdvance: t.bigint().notNull(),
    totalShares: t.bigint().notNull(),
    // as those of the vault, through this day
    gainPerSecond: t.numeric(SUM).notNull(),
    gainOffset: t.numeric(SUM).notNull(),
    lossPerSecond: t.numeric(SUM).notNull(),
    lossOffset: t.numeric(SUM).notNull(),
  }),
  (table) => ({
    pk: primaryKey({ columns: [table.vault, table.day] }),
    byVaultFaceFinanced: index().on(table.vault, table.faceFinanced, table.day),
    byDay: index().on(table.day, table.vault),
    byFaceFinanced: index().on(table.faceFinanced, table.vault, table.day),
  }),
)

/** Figures of one position on one UTC day; the last two are those after the day's last event. */
export const positionDay = onchainTable(
  'position_day',
  (t) => ({
    vault: t.hex().notNull(),
    owner: t.hex().notNull(),
    day: t.bigint().notNull(),
    deposited: t.numeric(SUM).notNull(),
    withdrawn: t.numeric(SUM).notNull(),
    received: t.numeric(SUM).notNull(),
    sent: t.numeric(SUM).notNull(),
    shares: t.bigint().notNull(),
    costBasis: t.numeric(SUM).notNull(),
  }),
  (table) => ({ pk: primaryKey({ columns: [table.vault, table.owner, table.day] }) }),
)

/**
 * Financed face of one vault and issuer by the UTC day on which it is due, and by that on which settlements paid it. A
 * claim that is settled before its due date counts on the day of that date for both. A day can be in the future.
 * Overdue face at a time: the face that was due before it less the face that was settled until then.
 */
export const dueDay = onchainTable(
  'due_day',
  (t) => ({
    vault: t.hex().notNull(),
    issuer: t.hex().notNull(),
    token: t.hex().notNull(),
    day: t.bigint().notNull(),
    faceDue: t.numeric(SUM).notNull(),
    faceSettled: t.numeric(SUM).notNull(),
  }),
  (table) => ({
    pk: primaryKey({ columns: [table.vault, table.issuer, table.token, table.day] }),
    byVault: index().on(table.vault, table.day),
    byIssuer: index().on(table.issuer, table.day),
    byToken: index().on(table.token, table.day),
  }),
)

/**
 * Value of what a vault has financed, over time: at a time, gains are the sum of `gainPerSecond * time + gainOffset`
 * over all rows until its UTC day, and losses likewise, in base units times `VALUE_SCALE`. A day can be in the future.
 * The vault has the sums through the day of its last change of capital. `scheduled…` is the part that events of earlier
 * days have added: later events never change it once the day begins.
 */
export const valueDay = onchainTable(
  'value_day',
  (t) => ({
    vault: t.hex().notNull(),
    day: t.bigint().notNull(),
    gainPerSecond: t.numeric(SUM).notNull(),
    gainOffset: t.numeric(SUM).notNull(),
    lossPerSecond: t.numeric(SUM).notNull(),
    lossOffset: t.numeric(SUM).notNull(),
    scheduledGainPerSecond: t.numeric(SUM).notNull(),
    scheduledGainOffset: t.numeric(SUM).notNull(),
    scheduledLossPerSecond: t.numeric(SUM).notNull(),
    scheduledLossOffset: t.numeric(SUM).notNull(),
  }),
  (table) => ({ pk: primaryKey({ columns: [table.vault, table.day] }) }),
)
