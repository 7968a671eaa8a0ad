/**
 * Queries to begin with. Amounts are in units of their token. Those of different tokens have no sum, so no bar mixes
 * them.
 */

/** `x` and `y` are columns of the answer; bars stand on categories, lines on days or months. */
export type SavedChart = { kind: 'bars' | 'line'; x: string; y: string; series?: string }

export type Saved = { name: string; title: string; sql: string; chart?: SavedChart }

export const saved: readonly Saved[] = [
  {
    name: 'late-payers',
    title: 'Which issuer pays latest, and what does that cost which vault?',
    sql: `-- The cost of a delay: the discount of a slice for each day of its term, for each day that it is paid late.
WITH slices AS (
  SELECT a.*, c.issuer,
    greatest(0, date_diff('day', a.dueDate, coalesce(a.repaidAt, (SELECT max("at") FROM activity)))) AS daysLate,
    greatest(1, date_diff('day', a.fundedAt, a.dueDate)) AS term
  FROM allocations a JOIN claims c USING (claimId)
)
SELECT coalesce(i.label, s.issuer) || ', ' || t.symbol AS issuer, v.name AS vault,
  count(*) AS slices,
  round(avg(s.daysLate), 1) AS meanDaysLate,
  round(sum(s.discountAmount_decimal * s.daysLate / s.term) / pow(10, any_value(t.decimals)), 2) AS costOfDelay
FROM slices s
JOIN issuers i ON i.address = s.issuer
JOIN vaults v ON v.address = s.vault
JOIN tokens t ON t.address = s.token
GROUP BY ALL
ORDER BY meanDaysLate DESC, issuer, vault`,
    chart: { kind: 'bars', x: 'issuer', y: 'costOfDelay', series: 'vault' },
  },
  {
    name: 'payment-records',
    title: 'How issuers pay',
    sql: `SELECT coalesce(i.label, r.issuer) || ', ' || t.symbol AS issuer, round(r.averageDaysLate, 1) AS averageDaysLate,
  round(r.settled_decimal / pow(10, t.decimals), 2) AS paid,
  round(100 * r.onTime_decimal / nullif(r.settled_decimal, 0), 1) AS percentOnTime,
  round(r.overdue_decimal / pow(10, t.decimals), 2) AS overdue
FROM paymentRecords r JOIN tokens t ON t.address = r.token JOIN issuers i ON i.address = r.issuer
ORDER BY averageDaysLate DESC NULLS LAST, issuer`,
    chart: { kind: 'bars', x: 'issuer', y: 'averageDaysLate' },
  },
  {
    name: 'maturities',
    title: 'Owed to vaults, by month of the due date',
    sql: `SELECT strftime(a.dueDate, '%Y-%m') || ', ' || t.symbol AS month,
  round(sum(a.faceAmount_decimal - a.repaidFace_decimal) / pow(10, any_value(t.decimals)), 2) AS outstanding
FROM allocations a JOIN tokens t ON t.address = a.token
WHERE NOT a.settled
GROUP BY ALL ORDER BY month`,
    chart: { kind: 'bars', x: 'month', y: 'outstanding' },
  },
  {
    name: 'discount-by-type',
    title: 'Discount by claim type and month',
    sql: `SELECT strftime(a.fundedAt, '%Y-%m') AS month, c.claimTypeLabel AS claimType, count(*) AS slices,
  round(10000 * sum(a.discountAmount_decimal) / sum(a.faceAmount_decimal)) / 100 AS percent
FROM allocations a JOIN claims c USING (claimId)
GROUP BY ALL ORDER BY month, claimType`,
    chart: { kind: 'line', x: 'month', y: 'percent', series: 'claimType' },
  },
  {
    name: 'concentration',
    title: 'Concentration of vaults on issuers',
    sql: `WITH owed AS (
  SELECT a.vault, c.issuer, sum(a.faceAmount_decimal - a.repaidFace_decimal) AS face
  FROM allocations a JOIN claims c USING (claimId) WHERE NOT a.settled GROUP BY ALL
), shares AS (
  SELECT vault, issuer, face::DOUBLE / sum(face) OVER (PARTITION BY vault) AS share FROM owed WHERE face > 0
)
SELECT v.name AS vault, count(*) AS issuers, round(100 * max(share), 1) AS percentOfLargest,
  round(10000 * sum(share * share)) AS herfindahlBps
FROM shares s JOIN vaults v ON v.address = s.vault
GROUP BY ALL ORDER BY herfindahlBps DESC, vault`,
    chart: { kind: 'bars', x: 'vault', y: 'herfindahlBps' },
  },
  {
    name: 'utilization',
    title: 'Utilization of vaults by day',
    sql: `SELECT strftime(d.day, '%Y-%m-%d') AS day, v.name AS vault,
  round(100 * d.outstandingAdvance_decimal / nullif(d.idleAssets_decimal + d.outstandingAdvance_decimal, 0), 2) AS percent
FROM vaultDays d JOIN vaults v ON v.address = d.vault
ORDER BY d.day, vault`,
    chart: { kind: 'line', x: 'day', y: 'percent', series: 'vault' },
  },
  {
    name: 'volume',
    title: 'Advanced by week',
    sql: `SELECT strftime(date_trunc('week', d.day), '%Y-%m-%d') AS week, t.symbol AS token,
  round(sum(d.advanced_decimal) / pow(10, any_value(t.decimals)), 2) AS advanced
FROM tokenDays d JOIN tokens t ON t.address = d.token
GROUP BY ALL ORDER BY week, token`,
    chart: { kind: 'line', x: 'week', y: 'advanced', series: 'token' },
  },
  {
    name: 'vault-rates',
    title: 'What vaults have charged',
    sql: `SELECT v.name AS vault, t.symbol AS token, count(*) AS slices,
  round(10000 * sum(a.discountAmount_decimal) / sum(a.faceAmount_decimal)) / 100 AS percent,
  round(avg(date_diff('day', a.fundedAt, a.dueDate)), 1) AS meanDays
FROM allocations a JOIN vaults v ON v.address = a.vault JOIN tokens t ON t.address = a.token
GROUP BY ALL ORDER BY percent, vault`,
    chart: { kind: 'bars', x: 'vault', y: 'percent' },
  },
  {
    name: 'lenders',
    title: 'Lenders and their gains',
    sql: `SELECT p.owner AS wallet, v.name || ', ' || t.symbol AS vault,
  round(p.assets_decimal / pow(10, t.decimals), 2) AS value,
  round((p.realizedGain_decimal + p.unrealizedGain_decimal) / pow(10, t.decimals), 2) AS gain
FROM vaultPositions p JOIN vaults v ON v.address = p.vault JOIN tokens t ON t.address = v.token
ORDER BY value DESC, wallet, vault`,
    chart: { kind: 'bars', x: 'vault', y: 'gain' },
  },
  {
    name: 'overdue',
    title: 'Claims that are due and unpaid',
    sql: `SELECT c.claimId, coalesce(i.label, c.issuer) || ', ' || t.symbol AS issuer, strftime(c.dueDate, '%Y-%m-%d') AS due,
  round((c.faceValue_decimal - c.paidFaceValue_decimal) / pow(10, t.decimals), 2) AS unpaid
FROM claims c JOIN tokens t ON t.address = c.token JOIN issuers i ON i.address = c.issuer
WHERE c.overdueSince IS NOT NULL
ORDER BY c.dueDate, c.claimId`,
    chart: { kind: 'bars', x: 'issuer', y: 'unpaid' },
  },
  {
    name: 'time-to-money',
    title: 'Days from registration to the first advance',
    sql: `WITH first AS (SELECT claimId, min(fundedAt) AS fundedAt FROM allocations GROUP BY ALL)
SELECT strftime(c.registeredAt, '%Y-%m') AS month, count(*) AS claims,
  round(avg(date_diff('hour', c.registeredAt, f.fundedAt)) / 24, 1) AS meanDays
FROM claims c JOIN first f USING (claimId)
GROUP BY ALL ORDER BY month`,
    chart: { kind: 'line', x: 'month', y: 'meanDays' },
  },
  {
    name: 'holders',
    title: 'Holders by the advances that they got',
    sql: `SELECT e.user[:8] || '…, ' || t.symbol AS wallet, count(*) AS executions,
  round(sum(e.totalAdvance_decimal) / pow(10, any_value(t.decimals)), 2) AS advance,
  round(10000 * sum(e.totalCost_decimal) / sum(e.totalFace_decimal)) / 100 AS percent
FROM executions e JOIN tokens t ON t.address = e.token
GROUP BY ALL ORDER BY advance DESC, wallet`,
    chart: { kind: 'bars', x: 'wallet', y: 'advance' },
  },
]
