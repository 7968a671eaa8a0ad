/** Views of vaults, and figures by day. */
import {
  CHANGED,
  CLAIM_TYPE,
  DAY,
  type Entry,
  EVENT,
  EVENT_ID,
  FINANCED,
  ISSUER,
  LINES,
  REPAID,
  TOKEN,
  VAULT,
} from './words.ts'

/** Capital after an event. */
const CAPITAL = {
  idleAssets: 'Assets that are not advanced, base units.',
  outstandingFace: 'Financed face that is not repaid, base units.',
  outstandingAdvance: 'Advances that are not repaid, base units.',
  totalShares: 'Number of all shares, base units of the share, which has 6 more decimals than the token.',
}

const DISCOUNT_EARNED = 'Discount of all repayments so far, base units.'

const MOVED = {
  deposited: 'Assets deposited, base units.',
  withdrawn: 'Assets withdrawn, base units.',
}

const POSITION_MOVED = {
  ...MOVED,
  received: 'Cost of shares that other wallets transferred to this one, base units.',
  sent: 'Cost of shares that this wallet transferred to others, base units.',
}

const MANDATE = {
  minDurationDays: 'Minimum number of whole days to the due date.',
  maxDurationDays: 'Maximum number of whole days to the due date.',
  minFace: 'Smallest lot, base units of face.',
  maxFace: 'Largest lot, base units of face.',
  maxClaimFace: 'Most face of one claim that the vault holds, base units.',
  maxIssuerFace: 'Most face that the claims of one issuer owe the vault, base units; 2^256 - 1 is no limit.',
}

const TERMS = {
  supportedTypesBitmap: 'Claim types that the vault finances: bit t is set if type t is supported.',
  ...MANDATE,
  baseDiscountBps: 'Base discount of every claim, basis points.',
  durationBpsPerDay: 'Discount per whole day to the due date, basis points.',
  premiumBps:
    'Premium by claim type, basis points. Type t is at the index t + 1; types beyond the end have 0.',
}

const SETTLED = {
  settlements: 'Number of settlements. A claim that is paid in parts has several.',
  faceSettled: 'Face that they paid, base units.',
}

const REGISTERED = {
  claimsRegistered: 'Number of claims registered.',
  faceRegistered: 'Face of the claims registered, base units.',
}

export const vault: Entry<'vault'> = {
  view: 'Vaults: mandate, pricing and capital.',
  columns: {
    address: VAULT,
    token: 'Address of the token of the assets of the vault and of the claims that it finances.',
    curator: 'Address of the curator.',
    name: 'Name of the shares.',
    symbol: 'Symbol of the shares.',
    active: 'Whether the vault can finance claims.',
    ...TERMS,
    noticePeriod:
      'Seconds between the submission of terms and the time from which they can take effect; 0 if they take effect at once.',
    ...CAPITAL,
    ...LINES,
    throughDay:
      'Start of the last UTC day whose rows of value_day the four figures before include, Unix seconds.',
    discountEarned: DISCOUNT_EARNED,
    registeredBlock: 'Number of the block of the registration.',
    registeredAt: 'Time of the registration, Unix seconds.',
    ...CHANGED,
  },
}

export const vaultTerms: Entry<'vaultTerms'> = {
  view: 'Terms of vaults, one row for each claim type that the vault supports.',
  columns: {
    vault: VAULT,
    claimType: CLAIM_TYPE,
    token: TOKEN,
    active: 'Whether the vault can finance claims.',
    ...MANDATE,
    durationBpsPerDay: TERMS.durationBpsPerDay,
    totalBpsNow: 'Whole discount of a claim that is due now, basis points.',
    totalBpsMonth: 'Whole discount of a claim that is due in 30 days, basis points.',
    totalBpsQuarter: 'Whole discount of a claim that is due in 90 days, basis points.',
  },
}

export const vaultVersion: Entry<'vaultVersion'> = {
  view: 'Status, curator, mandate and pricing of vaults from a block on, until the next row of the vault.',
  columns: {
    vault: VAULT,
    block: 'Number of the block. The row has the values after all events of the block.',
    at: 'Time of the block, Unix seconds.',
    curator: 'Address of the curator.',
    active: 'Whether the vault can finance claims.',
    ...TERMS,
  },
}

export const pendingTerms: Entry<'pendingTerms'> = {
  view: 'Terms that the curators of vaults have submitted and that are not in effect. Without them, a vault has no row.',
  columns: {
    vault: VAULT,
    ...TERMS,
    effectiveAt: 'Time from which the terms can take effect, Unix seconds.',
    submittedBlock: 'Number of the block of the submission.',
    submittedAt: 'Time of the submission, Unix seconds.',
  },
}

export const vaultPosition: Entry<'vaultPosition'> = {
  view: 'Shares of vaults that wallets hold. A row stays when it reaches 0.',
  columns: {
    vault: VAULT,
    owner: 'Address of the wallet.',
    shares: 'Shares, base units of the share, which has 6 more decimals than the token.',
    costBasis:
      'Cost of the shares, base units: the assets deposited for them. If a part of the shares leaves, the same part of the cost leaves, rounded down.',
    ...POSITION_MOVED,
    since: 'Time from which the wallet has held shares without a break, Unix seconds; null without shares.',
  },
}

export const positionChange: Entry<'positionChange'> = {
  view: 'Deposits, withdrawals and transfers of shares by wallet, with the position after each. A transfer has a row of each wallet.',
  columns: {
    id: EVENT_ID,
    vault: VAULT,
    owner: 'Address of the wallet.',
    kind: 'DEPOSIT, WITHDRAWAL, SENT or RECEIVED.',
    assets:
      'Assets deposited or withdrawn, or, of a transfer, the cost that moved with the shares, base units.',
    shares: 'Shares that moved, base units of the share.',
    counterparty: 'Address of the other wallet of a transfer; null otherwise.',
    sharesAfter: 'Shares after the event, base units of the share.',
    costBasisAfter: 'Cost of the shares after the event, base units.',
    depositedAfter: 'Column deposited of the position after the event, base units.',
    withdrawnAfter: 'Column withdrawn of the position after the event, base units.',
    receivedAfter: 'Column received of the position after the event, base units.',
    sentAfter: 'Column sent of the position after the event, base units.',
    sinceAfter: 'Column since of the position after the event, Unix seconds; null without shares.',
    realizedGainAfter:
      'Realized gain after the event, base units: withdrawn + sent + cost_basis - deposited - received of the position.',
    ...EVENT,
  },
}

export const positionDay: Entry<'positionDay'> = {
  view: 'Figures of each position by UTC day. A day without an event has no row.',
  columns: {
    vault: VAULT,
    owner: 'Address of the wallet.',
    day: DAY,
    ...POSITION_MOVED,
    shares: 'Shares after the last event of the day, base units of the share.',
    costBasis: 'Cost of the shares after the last event of the day, base units.',
  },
}

export const capitalChange: Entry<'capitalChange'> = {
  view: 'Movements of the capital of vaults, with the capital and the value of the vault after each.',
  columns: {
    id: EVENT_ID,
    vault: VAULT,
    kind: 'DEPOSIT, WITHDRAWAL, FUNDING or REPAYMENT.',
    amount: 'Assets deposited, withdrawn, advanced, or repaid at face, base units.',
    claimId: 'Id of the claim of a funding or a repayment; null otherwise.',
    sliceIndex: 'Slice of the claim, from 0; null if claim_id is null.',
    discount: 'Discount of the face that is funded or repaid, base units; null if claim_id is null.',
    ...CAPITAL,
    ...LINES,
    discountEarned: DISCOUNT_EARNED,
    ...EVENT,
  },
}

export const tokenDay: Entry<'tokenDay'> = {
  view: 'Figures of each token by UTC day. A day without an event has no row.',
  columns: {
    token: TOKEN,
    day: DAY,
    ...REGISTERED,
    executions: 'Number of executions.',
    ...FINANCED,
    ...SETTLED,
    ...MOVED,
    ...REPAID,
  },
}

export const issuerDay: Entry<'issuerDay'> = {
  view: 'Figures of the claims of each issuer and token by UTC day. A day without an event has no row.',
  columns: {
    issuer: ISSUER,
    token: TOKEN,
    day: DAY,
    ...REGISTERED,
    allocations: 'Number of slices financed.',
    ...FINANCED,
    ...SETTLED,
    vaultsAmount: 'Part of face_settled that was financed, base units.',
    ...REPAID,
  },
}

export const vaultDay: Entry<'vaultDay'> = {
  view: 'Figures of each vault by UTC day, with the capital after the last event of the day. A day without an event has no row.',
  columns: {
    vault: VAULT,
    day: DAY,
    token: TOKEN,
    allocations: 'Number of slices financed.',
    ...MOVED,
    ...FINANCED,
    ...REPAID,
    ...CAPITAL,
    ...LINES,
  },
}

export const dueDay: Entry<'dueDay'> = {
  view: 'Financed face of each vault and issuer by the UTC day on which it is due, and by that on which it is paid. A day can be in the future.',
  columns: {
    vault: VAULT,
    issuer: ISSUER,
    token: TOKEN,
    day: DAY,
    faceDue: 'Financed face that is due on the day, base units.',
    faceSettled:
      'Financed face that settlements pay on the day, base units. A claim that is settled before its due date counts on the day of that date.',
  },
}

export const valueDay: Entry<'valueDay'> = {
  view: 'Changes of the value of the allocations of each vault by UTC day. The gains at a time are the sum of gain_per_second * time + gain_offset of the vault and of its later days until then. A day can be in the future.',
  columns: {
    vault: VAULT,
    day: DAY,
    ...LINES,
    scheduledGainPerSecond: 'Part of gain_per_second that events of earlier days have added.',
    scheduledGainOffset: 'Part of gain_offset that events of earlier days have added.',
    scheduledLossPerSecond: 'Part of loss_per_second that events of earlier days have added.',
    scheduledLossOffset: 'Part of loss_offset that events of earlier days have added.',
  },
}
