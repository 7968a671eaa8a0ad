/** Profiles of the gateway under the reads that miss an aim. */
import { freePort } from '../../devnet/ports.ts'
import { profileWhile } from './profile.ts'
import type { Sample, Workload } from './read.ts'
import type { Profile } from './results.ts'
import { entriesOf, measureRounds, type Options } from './rounds.ts'
import type { Server } from './servers/server.ts'
import { type Place, startOurs, startUncached } from './servers/start.ts'
import type { World } from './world.ts'

type Wanted = {
  place: Place
  samples: readonly Sample[]
  workloads: readonly Workload[]
  options: Options
}

/** A gateway whose inspector listens at the port. */
type Inspected = { server: Server; port: number }

export async function profileAll(world: World, wanted: Wanted): Promise<Profile[]> {
  const ours = await startInspected(world, (args) => startUncached(wanted.place, args))
  const kept = await startInspected(world, (args) => startOurs(wanted.place, {}, args))
  const profiles: Profile[] = []
  for (const workload of wanted.workloads) {
    profiles.push(await profileOne(workload.repeats ? kept : ours, workload, wanted))
  }
  return profiles
}

async function startInspected(
  { keep }: World,
  start: (args: readonly string[]) => Promise<Server>,
): Promise<Inspected> {
  const port = await freePort()
  return { port, server: await keep(start([`--inspect=127.0.0.1:${port}`, '--inspect-publish-uid=http'])) }
}

async function profileOne(
  { server, port }: Inspected,
  workload: Workload,
  { samples, options }: Wanted,
): Promise<Profile> {
  options.report(`profile of ${workload.title}`)
  const entries = await entriesOf({ ours: server, kept: server }, workload, samples)
  const once = { ...options, rounds: 1, report: () => {} }
  return profileWhile(port, workload.id, () => measureRounds(entries, once))
}
