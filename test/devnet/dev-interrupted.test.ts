/** Runs of `npm run dev` that are interrupted: while a world is made, while it starts, and by the death of a child. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { SMALL_SCALE } from '../../devnet/world/plan-world.ts'
import { askForClaims, type DevRun, leftovers, lives, livingChildren, startDev } from './dev-run.ts'

const parent = mkdtempSync(join(tmpdir(), 'claim-financing-dev-'))
chmodSync(parent, 0o755)
const folder = join(parent, 'devnet')
let run: DevRun

afterAll(async () => {
  run.kill('SIGTERM')
  await run.exited
  rmSync(parent, { recursive: true, force: true })
})

describe('npm run dev', () => {
  test('stops in order when interrupted while database, indexer and a new world are made', async () => {
    run = startDev(folder)
    await expect.poll(() => livingChildren(folder).map(({ name }) => name)).toContain('indexer')
    const children = livingChildren(folder)
    run.kill('SIGINT')
    expect(await run.exited, run.output()).toBe(0)
    expect(children.filter(({ pid }) => lives(pid))).toEqual([])
    expect(leftovers(folder)).toEqual([])
  })

  test('makes a new world after kill -9 while one is made', async () => {
    run = startDev(folder, '--fresh')
    await expect.poll(() => livingChildren(folder).map(({ name }) => name)).toContain('chain')
    run.kill('SIGKILL')
    await run.exited

    run = startDev(folder)
    await run.ready
    expect(run.output()).toContain('The last run was killed')
    expect(run.output()).toContain('World ')
    expect((await askForClaims(folder, '{ claims { totalCount nodes { claimId } } }')).totalCount).toBe(
      SMALL_SCALE.claims,
    )
  })

  test('says which child died and with what words', async () => {
    const gateway = livingChildren(folder).find(({ name }) => name === 'gateway')
    process.kill(gateway?.pid ?? 0, 'SIGKILL')
    expect(await run.exited, run.output()).toBe(1)
    expect(run.output()).toContain('the gateway was ended by SIGKILL')
    expect(leftovers(folder)).toEqual([])
  })

  test('stops in order when interrupted while it starts', async () => {
    run = startDev(folder)
    await expect.poll(() => livingChildren(folder).length).toBeGreaterThan(1)
    const children = livingChildren(folder)
    run.kill('SIGHUP')
    expect(await run.exited, run.output()).toBe(0)
    expect(children.filter(({ pid }) => lives(pid))).toEqual([])
    expect(leftovers(folder)).toEqual([])
  })

  test('continues the world after an orderly stop', async () => {
    run = startDev(folder)
    await run.ready
    expect(run.output()).not.toContain('World ')
  })
})
