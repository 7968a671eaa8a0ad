import type { PlantedFault } from '../fault.ts'

export const indexerFaults: readonly PlantedFault[] = [
  {
    name: 'a claim that changes its state stays counted in the old one',
    file: 'src/ClaimRegistry.ts',
    find: 'await countClaim(db, { ...row, state: from }, -1)',
    replace: 'await countClaim(db, row, -1)',
  },
  {
    name: 'each slice adds all that is financed of its claim to the totals',
    file: 'src/ClaimRegistry.ts',
    find: 'await countFinanced(db, financed, faceAmount)',
    replace: 'await countFinanced(db, financed, financedFaceValue)',
  },
  {
    name: 'an execution that a relayer sent is activity of the relayer',
    file: 'src/FinancingRouter.ts',
    find: 'wallet: user,',
    replace: 'wallet: submitter,',
  },
  {
    name: 'a beneficiary is reported to have received the whole face of a settled claim',
    file: 'src/FinancingRouter.ts',
    find: "kind: 'SETTLEMENT_RECEIVED',\n      amount: beneficiaryAmount,",
    replace: "kind: 'SETTLEMENT_RECEIVED',\n      amount: faceValue,",
  },
  {
    name: 'the router that is unpaused keeps the time of its pause',
    file: 'src/FinancingRouter.ts',
    find: '.set({ paused: false, ...changeOf(event) })',
    replace: '.set({ paused: false })',
  },
  {
    name: 'a withdrawal is activity of who received the assets',
    file: 'src/FinancingVault.ts',
    find: "ponder.on('FinancingVault:Withdraw', async ({ event, context: { db } }) => {\n  const { owner, assets } = event.args",
    replace:
      "ponder.on('FinancingVault:Withdraw', async ({ event, context: { db } }) => {\n  const { receiver: owner, assets } = event.args",
  },
  {
    name: 'a repayment is in the history of its vault at cost',
    file: 'src/FinancingVault.ts',
    find: "kind: 'REPAYMENT',\n    amount: faceAmount,",
    replace: "kind: 'REPAYMENT',\n    amount: advanceAmount,",
  },
  {
    name: 'an issuer that is switched off or on counts as added then',
    file: 'src/IssuerRegistry.ts',
    find: '.set({ active, changedAt })',
    replace: '.set({ active, addedAt: changedAt, changedAt })',
  },
  {
    name: 'the terms of a vault keep the status that it had before',
    file: 'src/VaultRegistry.ts',
    find: `\`vault \${address}\`))\n  await writeTerms(db, after)\n`,
    replace: `\`vault \${address}\`))\n`,
  },
  {
    name: "a vault's day ends with the figures after its first event",
    file: 'indexer/capital.ts',
    find: '({ ...sumOf(day, today), ...figures })',
    replace: '({ ...sumOf(day, today) })',
  },
  {
    name: "a vault's day counts advances as the face financed",
    file: 'indexer/capital.ts',
    find: "faceFinanced: kind === 'FUNDING' ? outstandingFace : 0n",
    replace: "faceFinanced: kind === 'FUNDING' ? amount : 0n",
  },
  {
    name: 'a claim that leaves a state adds its financed face to the totals of it',
    file: 'indexer/claim-total.ts',
    find: 'BigInt(sign) * faceValue, BigInt(sign) * financedFaceValue',
    replace: 'BigInt(sign) * faceValue, financedFaceValue',
  },
  {
    name: "withdrawals after the first event of a token's day are not counted, and deposits are in their place",
    file: 'indexer/days.ts',
    find: 'withdrawn: day.withdrawn + added.withdrawn',
    replace: 'withdrawn: day.withdrawn + added.deposited',
  },
  {
    name: 'events beyond the hundredth log of a block come before earlier ones',
    file: 'indexer/position.ts',
    caughtBy: ['test/indexer/agreement.test.ts'],
    find: "padStart(8, '0')",
    replace: "padStart(2, '0')",
  },
  {
    name: 'a claim type that a vault supports no longer keeps its terms',
    file: 'indexer/vault-terms.ts',
    find: 'before && supported(before, claimType)',
    replace: 'before && supported(after, claimType)',
  },
  {
    name: 'a vault has no terms for the last claim type',
    file: 'indexer/vault-terms.ts',
    caughtBy: ['test/indexer/integer-range.test.ts'],
    find: '{ length: 256 }',
    replace: '{ length: 255 }',
  },
  {
    name: 'a slice that changes no state leaves the time of the last change as it was',
    file: 'src/ClaimRegistry.ts',
    caughtBy: ['test/indexer/agreement.test.ts'],
    find: 'return { sliceCount: sliceIndex + 1, financedFaceValue, ...changeOf(event) }',
    replace: 'return { sliceCount: sliceIndex + 1, financedFaceValue }',
  },
  {
    name: 'a transfer of no shares makes its receiver a holder',
    file: 'src/FinancingVault.ts',
    caughtBy: ['test/indexer/agreement.test.ts'],
    find: '  if (value === 0n) return\n',
    replace: '',
  },
]
