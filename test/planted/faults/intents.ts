import type { PlantedFault } from '../fault.ts'

/** api/intents, api/routing and api/prepare. */
export const intentsFaults: readonly PlantedFault[] = [
  {
    name: 'a stored answer is given to every caller that knows its route and key, not to its user alone',
    file: 'api/intents/prepared.ts',
    find: "    .where('userAddress', '=', user)\n    .where('idempotencyKey', '=', idempotencyKey)\n    .where('deadline', '>', now)",
    replace: "    .where('idempotencyKey', '=', idempotencyKey)\n    .where('deadline', '>', now)",
  },
  {
    name: 'an execution without an answer to any caller becomes known',
    file: 'api/intents/prepared.ts',
    find: 'if (stored.answer === answer) await storePrepared(transaction, prepared)',
    replace: 'await storePrepared(transaction, prepared)',
  },
  {
    name: 'failed intents are not pruned, so the same plan cannot be had anew',
    file: 'api/intents/prune.ts',
    find: "['CONSUMED', 'FAILED']",
    replace: "['CONSUMED']",
  },
  {
    name: "a route's id does not depend on its deadline",
    file: 'api/intents/route-id.ts',
    find: '    routeDeadlineSeconds: route.routeDeadlineSeconds.toString(),\n',
    replace: '',
  },
  {
    name: 'an intent that was consumed without a key is resumed without one',
    file: 'api/intents/store.ts',
    find: 'return idempotencyKey !== undefined && row.idempotencyKey === idempotencyKey',
    replace: 'return row.idempotencyKey === (idempotencyKey ?? null)',
  },
  {
    name: 'an intent that has its answer can still fail',
    file: 'api/intents/store.ts',
    find: "    .where('isAnswered', '=', false)\n",
    replace: '',
  },
  {
    name: 'a leg is bound to the advance at the deadline, which the vault does not pay before',
    file: 'api/routing/bind-route.ts',
    find: 'legs.map(({ latestAdvanceAmount: _, ...leg }) => leg)',
    replace:
      'legs.map(({ latestAdvanceAmount: minimumAdvanceAmount, ...leg }) => ({ ...leg, minimumAdvanceAmount }))',
  },
  {
    name: "a plan's liquidity is computed at the prices of the pinned block, not of the window's end",
    file: 'api/routing/candidates.ts',
    find: 'lowestBps: bpsAt(vault.pricing, claim, window.end)',
    replace: 'lowestBps: bpsAt(vault.pricing, claim, window.start)',
  },
  {
    name: 'claims that no vault takes are refused for being in another token',
    file: 'api/routing/candidates.ts',
    find: 'settled.filter((claim) => pairsOf(claim).length > 0).map(({ claim }) => claim)',
    replace: 'settled.map(({ claim }) => claim)',
  },
  {
    name: 'a claim that falls due in the last second of the window is planned',
    file: 'api/routing/claim-refusal.ts',
    find: 'if (dueAt <= end)',
    replace: 'if (dueAt < end)',
  },
  {
    name: "a vault's liquidity is held against what it pays now, not against the most until the deadline",
    file: 'api/routing/leg.ts',
    find: '(drawn.get(leg.vault) ?? 0n) + leg.latestAdvanceAmount',
    replace: '(drawn.get(leg.vault) ?? 0n) + leg.minimumAdvanceAmount',
  },
  {
    name: 'a route is stored although its block grew too old while it was planned',
    file: 'api/routing/plan-route.ts',
    find: '  // Once more, as its deadline counts from now.\n  refuseLatePlan(block, planningDelaySeconds, now)\n',
    replace: '',
  },
  {
    name: 'an outage of the chain fails a consumed route for good',
    file: 'api/routing/prepare-execution.ts',
    find: 'if (isRevalidationFailure(error)) return failOnce',
    replace: 'if (error instanceof CodedError) return failOnce',
  },
  {
    name: 'quotes are sorted by their discount, whatever their face',
    file: 'api/routing/preview.ts',
    find: 'a.discountAmount * b.faceAmount - b.discountAmount * a.faceAmount',
    replace: 'a.discountAmount - b.discountAmount',
  },
  {
    name: 'the most that a vault may have to pay is computed at the planned rates',
    file: 'api/routing/reserve.ts',
    find: 'exposures.map(({ maxFace, lowestBps }) => advanceOf(maxFace, lowestBps))',
    replace: 'exposures.map(({ maxFace, rateBps }) => advanceOf(maxFace, rateBps))',
  },
  {
    name: 'a route with exactly the margin left before its deadline is handed out',
    file: 'api/routing/revalidate.ts',
    find: 'if (left > BigInt(DEADLINE_MARGIN_SECONDS)) return',
    replace: 'if (left >= BigInt(DEADLINE_MARGIN_SECONDS)) return',
  },
  {
    name: "a claim of exactly a mandate's longest duration is refused",
    file: 'api/routing/vault-refusal.ts',
    find: 'if (days > BigInt(maxDurationDays))',
    replace: 'if (days >= BigInt(maxDurationDays))',
  },
  {
    name: 'the planning window leaves out the age that a block may have',
    file: 'api/routing/window.ts',
    find: 'end: block.timestamp + BigInt(delaySeconds) + reach(routeDeadlineSeconds),',
    replace: 'end: block.timestamp + reach(routeDeadlineSeconds),',
  },
  {
    name: 'an approval that no node could try is taken for one that passes',
    file: 'api/prepare/approvals.ts',
    find: "return outcome === 'PASSES'",
    replace: "return outcome !== 'REVERTS'",
  },
  {
    name: 'an attestation is reported to be registrable in the second in which its claim is due',
    file: 'api/prepare/attestation.ts',
    find: 'smaller(validUntil, dueDate - 1n)',
    replace: 'smaller(validUntil, dueDate)',
  },
  {
    name: 'a financing is described with the quote where the bound minimum is less',
    file: 'api/prepare/financing.ts',
    find: 'inWords(leg.minimumAdvanceAmount)',
    replace: 'inWords(advanceAmount)',
  },
  {
    name: 'a known lack of balance or allowance hides every other reason to revert',
    file: 'api/prepare/issues.ts',
    find: 'if (known.some(({ code }) => code === TOLD_BY[errorName])) return []',
    replace: 'if (known.length > 0) return []',
  },
  {
    name: 'an attestation counts as expired in its last second',
    file: 'api/prepare/judge-attestation.ts',
    find: 'if (validUntil < now)',
    replace: 'if (validUntil <= now)',
  },
  {
    name: 'of several slices of one vault, a settlement names the last alone',
    file: 'api/prepare/settlement.ts',
    find: 'sums.set(vault, (sums.get(vault) ?? 0n) + faceAmount)',
    replace: 'sums.set(vault, faceAmount)',
  },
]
