import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { expect, it, onTestFinished } from 'vitest'
import { identify, isAlive } from '../../devnet/process-identity.ts'

it.runIf(process.platform === 'linux')(
  'a process that has ended is not alive while its parent has not read its exit code',
  async () => {
    const parent = spawn('sh', ['-c', 'sleep 600 & echo $!; exec sleep 600'])
    onTestFinished(() => void parent.kill('SIGKILL'))
    const [line] = await once(parent.stdout, 'data')
    const pid = Number(line)
    const child = identify(pid)
    expect(isAlive(child)).toBe(true)
    process.kill(pid, 'SIGKILL')
    const stateOf = () => / \(.*\) (\w) /.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]
    await expect.poll(stateOf).toBe('Z')
    expect(isAlive(child)).toBe(false)
  },
)
