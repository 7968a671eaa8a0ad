/** A child process of a development system: its last words, its end, and the end of its parent. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { describeExit, type StopSignal, startChild } from '../../devnet/child.ts'
import { identify, isAlive } from '../../devnet/process-identity.ts'

const MODULE = pathToFileURL(join(import.meta.dirname, '../../devnet/child.ts'))

function start(program: string, stopSignal: StopSignal = 'SIGTERM') {
  return startChild({ name: 'the program', program: process.execPath, args: ['-e', program], stopSignal })
}

it('has the last 12 lines of its output at its end', async () => {
  const { exited } = start('for (let i = 1; i <= 14; i += 1) console.log(i); process.exitCode = 3')
  const exit = await exited
  const last = Array.from({ length: 12 }, (_, index) => `${index + 3}`)
  expect(exit).toEqual({ code: 3, signal: null, lastWords: last })
  expect(describeExit(exit)).toBe(`exited with code 3; last lines of its output:\n  ${last.join('\n  ')}`)
})

it('gives the first line that matches, and fails with its last words where it ends without one', async () => {
  const { line, exited } = start(`console.log('one'); console.log('port 1'); console.error('port 2')`)
  expect(await line(/port/)).toMatch(/^port/)
  await expect(line(/never/)).rejects.toThrow(/^the program exited with code 0; last lines/)
  await exited
})

it.each(['SIGTERM', 'SIGINT'] as const)('is stopped by %s, and is not stopping before', async (signal) => {
  const child = start(
    `process.once('SIGTERM', () => process.exit(15)); process.once('SIGINT', () => process.exit(2))
     setInterval(() => {}, 1000); console.log('ready')`,
    signal,
  )
  await child.line(/ready/)
  expect(child.isStopping()).toBe(false)
  const stopped = child.stop()
  expect(child.isStopping()).toBe(true)
  expect(await stopped).toMatchObject({ code: signal === 'SIGTERM' ? 15 : 2 })
})

it('fails with the name of a program that does not exist', async () => {
  const absent = {
    name: 'the program',
    program: '/nowhere/program',
    args: [],
    stopSignal: 'SIGTERM',
  } as const
  expect(() => startChild(absent)).toThrow('the program cannot be started: /nowhere/program')
})

it('ends with a parent that ends without stopping it', async () => {
  const parent = spawn(process.execPath, [
    '--input-type=module',
    '-e',
    `import { startChild } from '${MODULE}'
     const args = ['-e', "setInterval(() => {}, 1000); console.log('ready')"]
     const child = startChild({ name: 'it', program: process.execPath, args, stopSignal: 'SIGTERM' })
     await child.line(/ready/)
     console.log(child.pid)
     process.stdin.once('data', () => process.exit())`,
  ])
  const [pid] = await once(createInterface({ input: parent.stdout }), 'line')
  const child = identify(Number(pid))
  parent.stdin.write('end')
  await once(parent, 'exit')
  await expect.poll(() => isAlive(child)).toBe(false)
})
