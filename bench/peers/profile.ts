/** Where the gateway's time goes: a profile of V8 while it is under load. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Profile } from './results.ts'

const FOLDER = join(import.meta.dirname, 'profiles')
const SHOWN = 8

/** Keeps what it does not name: DevTools need it to show the file. */
const profileShape = z.looseObject({
  nodes: z.array(
    z.looseObject({ id: z.int(), callFrame: z.looseObject({ functionName: z.string(), url: z.string() }) }),
  ),
  samples: z.array(z.int()),
  timeDeltas: z.array(z.number()),
})
export type Sampled = z.output<typeof profileShape>

/**
 * Profiles the process at this port of the inspector while `work` runs, and writes `profiles/<workload>.cpuprofile`.
 */
export async function profileWhile(
  port: number,
  workload: string,
  work: () => Promise<unknown>,
): Promise<Profile> {
  const inspector = await connect(port)
  await inspector.call('Profiler.enable')
  await inspector.call('Profiler.start')
  await work()
  const { profile } = z.object({ profile: profileShape }).parse(await inspector.call('Profiler.stop'))
  inspector.close()
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(join(FOLDER, `${workload}.cpuprofile`), JSON.stringify(profile))
  return { workload, packages: byPackage(profile).slice(0, SHOWN) }
}

/** Percent of the time that was not idle, by package or folder, the largest first. */
export function byPackage({ nodes, samples, timeDeltas }: Sampled): [name: string, percent: number][] {
  const names = new Map(nodes.map(({ id, callFrame }) => [id, packageOf(callFrame)]))
  const times = new Map<string, number>()
  samples.forEach((id, i) => {
    const name = names.get(id)
    if (name) times.set(name, (times.get(name) ?? 0) + (timeDeltas[i] ?? 0))
  })
  const total = [...times.values()].reduce((sum, time) => sum + time, 0)
  return [...times]
    .map(([name, time]): [string, number] => [name, Math.round((1000 * time) / total) / 10])
    .toSorted(([a, x], [b, y]) => y - x || a.localeCompare(b))
}

/** Undefined for idle time. */
function packageOf({ functionName, url }: { functionName: string; url: string }): string | undefined {
  const dependency = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1]
  if (dependency) return dependency
  if (url.startsWith('node:')) return 'Node'
  const own = /\/((?:api|nodes|deployments|abis)(?:\/[a-z-]+)?)\//.exec(url)?.[1]
  if (own) return own
  if (functionName === '(idle)' || functionName === '(root)') return undefined
  return functionName.startsWith('(') ? functionName.slice(1, -1) : 'built-in functions'
}

const answerShape = z.object({ id: z.int().optional(), result: z.unknown() })

async function connect(port: number) {
  const list = await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()
  const [target] = z.array(z.object({ webSocketDebuggerUrl: z.string() })).parse(list)
  const socket = new WebSocket(target?.webSocketDebuggerUrl ?? '')
  await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }))
  let last = 0
  return {
    call: (method: string): Promise<unknown> => {
      last += 1
      const id = last
      socket.send(JSON.stringify({ id, method }))
      return new Promise((resolve) => {
        const listen = ({ data }: MessageEvent) => {
          const answer = answerShape.parse(JSON.parse(String(data)))
          if (answer.id !== id) return
          socket.removeEventListener('message', listen)
          resolve(answer.result)
        }
        socket.addEventListener('message', listen)
      })
    },
    close: () => socket.close(),
  }
}
