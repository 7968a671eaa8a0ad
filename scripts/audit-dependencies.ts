/**
 * Fails where a production dependency has a known advisory of level high or critical that `accepted-advisories.json`
 * does not accept with a reason. Where the registry has no audit, or does not answer, the result is unknown: the check
 * reports that and passes.
 *
 *     npm run audit:dependencies
 */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { refuseOptions } from '../settings/command-line.ts'

refuseOptions(
  'npm run audit:dependencies',
  'Fails for an advisory of a production dependency that scripts/accepted-advisories.json does not accept.',
)

const ROOT = join(import.meta.dirname, '..')
const FAILING = ['high', 'critical']
/** For the whole audit. npm's own timeout is per attempt, and one attempt must do. */
const TIMEOUT_MS = 60_000
const ARGUMENTS = ['audit', '--omit=dev', '--json', '--fetch-retries=0', '--fetch-timeout=20000']

const advisory = z.object({ name: z.string(), title: z.string(), url: z.string(), severity: z.string() })
const report = z.object({
  vulnerabilities: z.record(z.string(), z.object({ via: z.array(z.union([z.string(), advisory])) })),
})
const accepted = z.array(z.strictObject({ url: z.string(), reason: z.string().min(1) }))

type Advisory = z.output<typeof advisory>

const known = accepted.parse(JSON.parse(readFileSync(join(ROOT, 'scripts/accepted-advisories.json'), 'utf8')))
const advisories = await readAdvisories()
if (!advisories) {
  console.log('The registry did not answer the audit. Nothing is known about advisories of the dependencies.')
} else {
  const serious = advisories.filter(({ severity }) => FAILING.includes(severity))
  const refused = serious.filter(({ url }) => known.every((one) => one.url !== url))
  const unneeded = known.filter((one) => serious.every(({ url }) => url !== one.url))
  for (const { severity, name, title, url } of refused)
    console.error(`${severity} ${name}: ${title} (${url})`)
  for (const { url } of unneeded)
    console.error(`accepted-advisories.json: ${url} applies to no dependency. Remove it.`)
  console.log(
    `${advisories.length} advisories, ${serious.length} of them high or critical, ${refused.length} of those not accepted`,
  )
  if (refused.length + unneeded.length > 0) process.exitCode = 1
}

/**
 * Each advisory once; undefined where the registry gives no report. npm's own complaint names hosts and is not shown.
 */
async function readAdvisories(): Promise<Advisory[] | undefined> {
  const answer = report.safeParse(parse(await runAudit()))
  if (!answer.success) return undefined
  const found = Object.values(answer.data.vulnerabilities).flatMap(({ via }) => via)
  const advisories = found.filter((cause): cause is Advisory => typeof cause !== 'string')
  return [...new Map(advisories.map((one) => [one.url, one])).values()]
}

/** Output of npm, which exits with 1 where it finds an advisory. */
function runAudit(): Promise<string> {
  return new Promise((resolve) => {
    const options = { cwd: ROOT, timeout: TIMEOUT_MS, killSignal: 'SIGKILL', maxBuffer: 1e8 } as const
    execFile('npm', ARGUMENTS, options, (_error, stdout) => resolve(stdout))
  })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
