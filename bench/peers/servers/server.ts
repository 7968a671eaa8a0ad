/** A server under measurement as a process of its own. */
import { startChild } from '../../../devnet/child.ts'
import { freePort } from '../../../devnet/ports.ts'
import { type Request, sendTo } from '../read.ts'

/** Connections to Postgres that a server reads with. */
export const POOL = 10

export type Server = { pid: number; url: string; stop: () => Promise<unknown> }

type Program = {
  name: string
  args: readonly string[]
  env: Readonly<Record<string, string>>
  /** Answered with 200 as soon as the server is ready. */
  probe: Request
  cwd?: string
}

const BETWEEN_ATTEMPTS_MS = 50

/** @returns when the server answers. Its log is written and discarded. @throws Error when it exits before */
export async function startServer({ name, args, env, probe, cwd }: Program): Promise<Server> {
  const port = await freePort()
  const { PATH = '', HOME = '' } = process.env
  const own = { PATH, HOME, NODE_ENV: 'production', POOL: `${POOL}`, PORT: `${port}` }
  const child = startChild({
    name,
    program: process.execPath,
    args,
    stopSignal: 'SIGTERM',
    spawn: { env: { ...own, ...env }, stdio: ['ignore', 'ignore', 'inherit'], ...(cwd && { cwd }) },
  })
  const url = `http://127.0.0.1:${port}`
  const exited = child.exited.then(({ code }) => {
    throw new Error(`${name} exited with code ${code}`)
  })
  await Promise.race([answers(url, probe), exited])
  exited.catch(() => {})
  return { pid: child.pid, url, stop: child.stop }
}

async function answers(url: string, probe: Request): Promise<void> {
  for (;;) {
    const response = await sendTo(url, probe).catch(() => undefined)
    if (response?.ok) return
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_ATTEMPTS_MS))
  }
}
