/** A server of a user's project, until it is stopped. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'

export type Served = { url: string; stop: () => void }

/** Runs a program of the project's `node_modules` and waits until it prints its address. */
export async function serveProject(
  project: string,
  program: string,
  port: number,
  ...args: string[]
): Promise<Served> {
  const child = spawn(process.execPath, [join(project, 'node_modules', program), ...args], {
    cwd: project,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1' },
  })
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (data) => String(data).includes('localhost') && resolve())
    child.once('exit', (code) => reject(new Error(`${program} exited with code ${code}`)))
  })
  return { url: `http://localhost:${port}`, stop: () => void child.kill() }
}
