/** Views of the market: who takes part, claims, and the financing of claims. */
import {
  CHANGED,
  CLAIM,
  CLAIM_TYPE,
  DUE_AT,
  type Entry,
  EVENT,
  EVENT_ID,
  EXECUTION,
  ISSUER,
  ORDINAL,
  SLICE,
  TOKEN,
  VAULT,
} from './words.ts'

const STATE = 'ELIGIBLE, PARTIALLY_FUNDED, FULLY_FUNDED, SETTLED, REVOKED or CLOSED.'

export const router: Entry<'router'> = {
  view: 'The financing router; one row.',
  columns: {
    id: 'Address of the router.',
    paused: 'Whether financing is paused.',
    ...CHANGED,
  },
}

export const issuer: Entry<'issuer'> = {
  view: 'Issuers, which attest claims.',
  columns: {
    address: 'Address of the issuer.',
    active: 'Whether claims of the issuer can be registered.',
    claimCount: 'Number of registered claims.',
    addedBlock: 'Number of the block in which the issuer was added.',
    addedAt: 'Time of the addition, Unix seconds.',
    changedAt: CHANGED.changedAt,
  },
}

export const token: Entry<'token'> = {
  view: 'Tokens in which claims are paid, with the answers of their contracts at the first listing.',
  columns: {
    address: 'Address of the contract.',
    symbol: 'Symbol; empty if the token has none.',
    name: 'Name; empty if the token has none.',
    decimals: 'Decimals: 10^decimals base units are one unit of the token.',
    listed: 'Whether claims can be registered, and vaults created, in this token.',
    addedBlock: 'Number of the block of the first listing.',
    addedAt: 'Time of the first listing, Unix seconds.',
    ...CHANGED,
  },
}

export const claim: Entry<'claim'> = {
  view: 'Claims on future payments.',
  columns: {
    id: CLAIM,
    issuer: ISSUER,
    beneficiary: 'Address of the account to which the claim is due.',
    token: 'Address of the token in which the claim is paid.',
    faceValue: 'Face value, base units.',
    financedFaceValue: 'Part of the face value that vaults have financed, base units.',
    paidFaceValue: 'Part of the face value that is paid, base units.',
    dueAt: DUE_AT,
    claimType: CLAIM_TYPE,
    sliceCount: 'Number of slices that are financed, 0 to 8.',
    state: STATE,
    documentHash: 'Hash of the document of the claim.',
    registeredBlock: 'Number of the block of the registration.',
    registeredAt: 'Time of the registration, Unix seconds.',
    registeredTx: 'Hash of the transaction of the registration.',
    ordinal: ORDINAL,
    issuerClaimNumber: 'Number of the claim among those of its issuer, from 1.',
    ...CHANGED,
  },
}

export const allocation: Entry<'allocation'> = {
  view: 'Parts of claims that vaults have financed, one row for each slice.',
  columns: {
    claimId: CLAIM,
    sliceIndex: SLICE,
    vault: 'Address of the vault that financed the slice.',
    executionId: 'Id of the execution that created the allocation.',
    token: TOKEN,
    issuer: ISSUER,
    claimType: CLAIM_TYPE,
    dueAt: DUE_AT,
    settled: 'Whether the whole face is paid. The vault can be repaid later.',
    faceAmount: 'Face financed, base units.',
    advanceAmount:
      'Advance paid to the beneficiary, base units. The discount is face_amount less advance_amount.',
    paidFace: 'Part of the face that is paid, base units.',
    repaidFace: 'Part of paid_face that the vault has received, base units. The router holds the rest.',
    fundedBlock: 'Number of the block of the financing.',
    fundedAt: 'Time of the financing, Unix seconds.',
    ordinal: ORDINAL,
    repaidBlock: 'Number of the block of the repayment that completed the face; null until then.',
    repaidAt: 'Time of the repayment that completed the face, Unix seconds; null until then.',
  },
}

export const execution: Entry<'execution'> = {
  view: 'Transactions that financed claims, each with one or more legs.',
  columns: {
    id: EXECUTION,
    user: 'Address of the beneficiary of the claims.',
    token: TOKEN,
    kind: 'ROUTE for a signed route, DIRECT for one leg that the user sent.',
    submitter: 'Sender of the transaction: the user, or a relayer of a signed route.',
    legCount: 'Number of legs.',
    totalFace: 'Face of all legs, base units.',
    totalAdvance: 'Advances of all legs, base units. The cost is total_face less total_advance.',
    ...EVENT,
    ordinal: ORDINAL,
  },
}

export const executionLeg: Entry<'executionLeg'> = {
  view: 'Legs of executions: a slice of a claim that a vault financed.',
  columns: {
    executionId: EXECUTION,
    legIndex: 'Index of the leg in the execution, from 0.',
    claimId: CLAIM,
    vault: VAULT,
    sliceIndex: SLICE,
    faceAmount: 'Face financed, base units.',
    advanceAmount: 'Advance paid, base units.',
    at: 'Time of the execution, Unix seconds.',
    ordinal: ORDINAL,
  },
}

export const statusVersion: Entry<'statusVersion'> = {
  view: 'Status of issuers, tokens and the router from a block on, until the next row of the address.',
  columns: {
    subject: 'Address of the issuer, the token or the router.',
    block: 'Number of the block. The row has the status after all events of the block.',
    at: 'Time of the block, Unix seconds.',
    status: 'Whether the issuer is active, the token is listed, or the router is paused.',
  },
}

export const routeCancellation: Entry<'routeCancellation'> = {
  view: 'Nonces of the router that their users cancelled. A route that is signed with such a nonce cannot be executed.',
  columns: { user: 'Address of the user.', nonce: 'Cancelled nonce.', ...EVENT },
}

export const settlement: Entry<'settlement'> = {
  view: 'Payments of claims, whole or in part. A claim is settled once its whole face is paid.',
  columns: {
    id: EVENT_ID,
    claimId: CLAIM,
    payer: 'Address that paid.',
    beneficiary: 'Address of the beneficiary of the claim.',
    token: TOKEN,
    issuer: ISSUER,
    claimType: CLAIM_TYPE,
    faceAmount: 'Face paid, base units.',
    sliceAmounts:
      'Part for each slice of the claim, which its vault receives, base units; an array by slice_index.',
    vaultsAmount: 'Part for the vaults that financed the claim, base units.',
    beneficiaryAmount: 'Rest, for the beneficiary, base units.',
    ...EVENT,
  },
}

export const credit: Entry<'credit'> = {
  view: 'Amounts that the router holds for accounts that a settlement could not pay. A row stays when it reaches 0.',
  columns: { account: 'Address of the account.', token: TOKEN, amount: 'Amount held, base units.' },
}

export const activity: Entry<'activity'> = {
  view: 'Events of wallets, one row for each event and role.',
  columns: {
    id: EVENT_ID,
    wallet: 'Address of the wallet.',
    kind: 'CLAIM_REGISTERED, CLAIM_REVOKED, EXECUTION, SETTLEMENT_PAID, SETTLEMENT_RECEIVED, VAULT_DEPOSIT, VAULT_WITHDRAWAL, CREDITED or CREDIT_WITHDRAWN.',
    token: TOKEN,
    amount:
      'Face registered or revoked, advance received, settlement paid or received, assets deposited or withdrawn, or credit, base units.',
    claimId: 'Id of the claim; null for an event without one.',
    executionId: 'Id of the execution; null for an event without one.',
    vault: 'Address of the vault; null for an event without one.',
    ...EVENT,
  },
}

const LATE = (days: string) => `Face that was paid ${days} after the due date, base units.`

export const paymentRecord: Entry<'paymentRecord'> = {
  view: 'How issuers pay their claims, one row for each issuer and token. A payment counts by the whole days from the due date to it.',
  columns: {
    issuer: ISSUER,
    token: TOKEN,
    face: 'Face of the registered claims without revoked ones, base units. face less settled is not paid.',
    settled: 'Face that was paid, base units: the sum of the next six columns.',
    onTime: LATE('less than a day'),
    upTo1: LATE('1 day'),
    upTo7: LATE('2 to 7 days'),
    upTo30: LATE('8 to 30 days'),
    upTo90: LATE('31 to 90 days'),
    more: LATE('more than 90 days'),
    recovered:
      'Part of settled that was paid 90 days after the end of the due day or later, base units. The value of the claim was 0 then.',
    faceDays: 'Sum of the face of each payment times its days, base units times days.',
    averageDelay: 'face_days over settled, hundredths of a day, rounded down; 0 before the first payment.',
  },
}

export const claimTotal: Entry<'claimTotal'> = {
  view: 'Claims of each issuer, token, state and type as they are now, added up.',
  columns: {
    token: TOKEN,
    state: STATE,
    issuer: ISSUER,
    claimType: CLAIM_TYPE,
    claims: 'Number of claims.',
    faceValue: 'Sum of their face values, base units.',
    financedFaceValue: 'Sum of their financed face, base units.',
  },
}
