import { execFileSync, spawnSync } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { createPublicClient, http } from 'viem'
import { describe, expect, it } from 'vitest'
import { parseConfig } from '../../api/config/config.ts'
import { createLog } from '../../api/http/log.ts'
import { freePort } from '../support/anvil.ts'

describe('the log', () => {
  it('shows neither the key in a node address nor a password, wherever a library quotes them', async () => {
    const rpcUrl = `http://127.0.0.1:${await freePort()}/v2/key-of-the-node`
    const config = parseConfig({
      NODE_ENV: 'test',
      DATABASE_URL: 'postgres://gateway:pass%22word@db.example/projection',
      READ_DATABASE_URLS: 'postgres://gateway:of-a-replica@replica.example/projection',
      RPC_URLS: rpcUrl,
      CHAIN_ID: '31337',
    })
    const lines: string[] = []
    const log = createLog(config, { write: (line) => void lines.push(line) })
    const err: unknown = await createPublicClient({ transport: http(rpcUrl, { retryCount: 0 }) })
      .getChainId()
      .catch((error: unknown) => error)
    expect(String(err)).toContain('key-of-the-node')
    log.warn(
      {
        err,
        url: config.databaseUrl,
        replicas: config.readDatabaseUrls,
        quoted: 'pass"word',
        encoded: 'pass%22word',
      },
      rpcUrl,
    )
    const [line = ''] = lines
    expect(JSON.parse(line)).toMatchObject({ level: 40, msg: '[secret]', quoted: '[secret]' })
    expect(line).not.toMatch(/key-of-the-node|pass%22word|pass\\"word|of-a-replica/)
  })

  it('shows nothing of an address that has a password and a key, nor of a secret that begins with another', () => {
    const url = 'https://user:word@node.example/v2/key-of-the-node'
    const config = parseConfig({
      NODE_ENV: 'test',
      DATABASE_URL: 'postgres://gateway:password@db.example/projection',
      RPC_URLS: `${url},https://public.example`,
      CHAIN_ID: '31337',
    })
    const lines: string[] = []
    const log = createLog(config, { write: (line) => void lines.push(line) })
    log.warn({ url, database: config.databaseUrl, quoted: 'password', own: 'word' }, config.rpcUrls[1])
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      url: '[secret]',
      database: '[secret]',
      quoted: '[secret]',
      own: '[secret]',
      // The address of a node without a key is none.
      msg: 'https://public.example',
    })
  })

  it('has no line below LOG_LEVEL, and each line has the time but no facts about the machine', () => {
    const config = parseConfig({
      NODE_ENV: 'test',
      DATABASE_URL: 'postgres://gateway@db.example/projection',
      RPC_URLS: 'https://node.example',
      CHAIN_ID: '31337',
      LOG_LEVEL: 'warn',
    })
    const lines: string[] = []
    const log = createLog(config, { write: (line) => void lines.push(line) })
    log.info('a request')
    log.warn({ n: 1 }, 'a warning')
    expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
      {
        level: 40,
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        n: 1,
        msg: 'a warning',
      },
    ])
  })

  it('has every line in its order when the process exits in the turn that wrote it, however many there are', () => {
    const lines = 1_000
    const output = execFileSync(process.execPath, [PROGRAM, String(lines)], { encoding: 'utf8' })
    const numbers = output.trimEnd().split('\n')
    expect(numbers.map((line) => JSON.parse(line).n)).toEqual(Array.from({ length: lines }, (_, n) => n))
  })

  it('has all lines of a process that is killed but the last 16 KB', () => {
    const lines = 1_000
    const { signal, stdout } = spawnSync(process.execPath, [PROGRAM, String(lines), 'killed'], {
      encoding: 'utf8',
    })
    expect(signal).toBe('SIGKILL')
    const written = stdout.trimEnd().split('\n')
    expect(written.map((line) => JSON.parse(line).n)).toEqual(written.map((_, n) => n))
    const longest = Math.max(...written.map((line) => line.length + 1))
    expect((lines - written.length) * longest).toBeLessThanOrEqual(16 * 1024 + longest)
  })

  it('that cannot be written does not end the process', () => {
    const full = openSync('/dev/full', 'w')
    const stdio = ['ignore', full, 'pipe'] as const
    const { status, stderr } = spawnSync(process.execPath, [PROGRAM, '1000'], {
      stdio: [...stdio],
      encoding: 'utf8',
    })
    closeSync(full)
    expect([status, stderr]).toEqual([0, ''])
  })
})

const PROGRAM = join(import.meta.dirname, '../support/log-and-exit.ts')
