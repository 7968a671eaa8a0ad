import type { PlantedFault } from '../fault.ts'

/** api/store, api/routing and api/prepare. */
export const intentsFaults: readonly PlantedFault[] = [
  {
    name: 'a stored answer is given to every caller that knows its route and key, not to its user alone',
    in: 'findPreparedAnswer',
    find: ".where('userAddress', '=', user) .where('idempotencyKey', '=', idempotencyKey) .where('deadline', '>', now)",
    replace: ".where('idempotencyKey', '=', idempotencyKey)\n.where('deadline', '>', now)",
  },
  {
    name: 'an execution without an answer to any caller becomes known',
    in: 'storePreparedRoute',
    find: 'if (stored.answer === answer) await storePrepared(transaction, prepared)',
    replace: 'await storePrepared(transaction, prepared)',
  },
  {
    name: 'failed intents are not pruned, so the same plan cannot be had anew',
    in: 'pruneIntents',
    find: "['CONSUMED', 'FAILED']",
    replace: "['CONSUMED']",
  },
  {
    name: "a route's id does not depend on its deadline",
    in: 'routeIdOf',
    find: 'routeDeadlineSeconds: route.routeDeadlineSeconds.toString(),',
    replace: '',
  },
  {
    name: 'an intent that was consumed without a key is resumed without one',
    in: 'isResumedBy',
    find: 'idempotencyKey !== undefined && row.idempotencyKey === idempotencyKey',
    replace: 'row.idempotencyKey === (idempotencyKey ?? null)',
  },
  {
    name: 'an intent that has its answer can still fail',
    in: 'failIntent',
    find: ".where('isAnswered', '=', false)",
    replace: '',
  },
  {
    name: 'a leg is bound to the advance at the deadline, which the vault does not pay before',
    in: 'termsOf',
    find: 'legs.map(({ latestAdvanceAmount: _, ...leg }) => leg)',
    replace:
      'legs.map(({ latestAdvanceAmount: minimumAdvanceAmount, ...leg }) => ({ ...leg, minimumAdvanceAmount }))',
    caughtBy: ['route-execution'],
  },
  {
    name: "a plan's liquidity is computed at the prices of the pinned block, not of the window's end",
    in: 'toPair',
    find: 'lowestBps: bpsAt(vault.pricing, claim, window.end)',
    replace: 'lowestBps: bpsAt(vault.pricing, claim, window.start)',
  },
  {
    name: 'claims that no vault takes are refused for being in another token',
    in: 'collectCandidates',
    find: 'settled.filter((claim) => pairsOf(claim).length > 0).map(({ claim }) => claim)',
    replace: 'settled.map(({ claim }) => claim)',
  },
  {
    name: 'a claim that falls due in the last second of the window is planned',
    in: 'dueRefusal',
    find: 'if (dueAt <= end)',
    replace: 'if (dueAt < end)',
  },
  {
    name: "a vault's liquidity is held against what it pays now, not against the most until the deadline",
    in: 'overdrawnVault',
    find: '(drawn.get(leg.vault) ?? 0n) + leg.latestAdvanceAmount',
    replace: '(drawn.get(leg.vault) ?? 0n) + leg.minimumAdvanceAmount',
  },
  {
    name: 'a route is stored although its block grew too old while it was planned',
    in: 'planRoute',
    find: 'refuseLatePlan(block, planningDelaySeconds, now)',
    replace: '',
  },
  {
    name: 'an outage of the chain fails a consumed route for good',
    in: 'answerOnce',
    find: 'if (isRevalidationFailure(error)) return failOnce',
    replace: 'if (error instanceof CodedError) return failOnce',
  },
  {
    name: 'quotes are sorted by their discount, whatever their face',
    in: 'byCost',
    find: 'a.discountAmount * b.faceAmount - b.discountAmount * a.faceAmount',
    replace: 'a.discountAmount - b.discountAmount',
  },
  {
    name: 'the most that a vault may have to pay is computed at the planned rates',
    in: 'mostPaid',
    find: 'exposures.map(({ maxFace, lowestBps }) => advanceOf(maxFace, lowestBps))',
    replace: 'exposures.map(({ maxFace, rateBps }) => advanceOf(maxFace, rateBps))',
  },
  {
    name: 'a route with exactly the margin left before its deadline is handed out',
    in: 'refuseTooSoon',
    find: 'if (left > BigInt(DEADLINE_MARGIN_SECONDS)) return',
    replace: 'if (left >= BigInt(DEADLINE_MARGIN_SECONDS)) return',
  },
  {
    name: "a claim of exactly a mandate's longest duration is refused",
    in: 'mandateRefusal',
    find: 'if (days > BigInt(maxDurationDays))',
    replace: 'if (days >= BigInt(maxDurationDays))',
  },
  {
    name: 'the planning window leaves out the age that a block may have',
    in: 'planningWindow',
    find: 'end: block.timestamp + BigInt(delaySeconds) + reach(routeDeadlineSeconds)',
    replace: 'end: block.timestamp + reach(routeDeadlineSeconds)',
  },
  {
    name: 'an approval that no node could try is taken for one that passes',
    in: 'approvalsAfter',
    find: "outcome === 'PASSES'",
    replace: "outcome !== 'REVERTS'",
  },
  {
    name: 'an attestation is reported to be registrable in the second in which its claim is due',
    in: 'registrableUntil',
    find: 'smaller(validUntil, dueDate - 1n)',
    replace: 'smaller(validUntil, dueDate)',
  },
  {
    name: 'a financing is described with the quote where the bound minimum is less',
    in: 'describe',
    find: 'inWords(leg.minimumAdvanceAmount)',
    replace: 'inWords(advanceAmount)',
  },
  {
    name: 'a known lack of balance or allowance hides every other reason to revert',
    in: 'simulationIssues',
    find: 'if (known.some(({ code }) => code === REPORTED_BY[errorName])) return []',
    replace: 'if (known.length > 0) return []',
    caughtBy: ['settlement-refusals', 'financing-refusals'],
  },
  {
    name: 'an attestation counts as expired in its last second',
    in: 'judgeAttestation',
    find: 'if (validUntil < now)',
    replace: 'if (validUntil <= now)',
  },
  {
    name: 'of several slices of one vault, a settlement names the last alone',
    in: 'sumByVault',
    find: 'sums.set(vault, (sums.get(vault) ?? 0n) + faceAmount)',
    replace: 'sums.set(vault, faceAmount)',
  },
]
