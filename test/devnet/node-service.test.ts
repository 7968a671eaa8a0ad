/** The environment of a service of the development system. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { startNodeService } from '../../devnet/node-service.ts'

const ROOT = join(import.meta.dirname, '../..')

it('has the settings of its system and not those of the shell, which may be for another system', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'claim-financing-service-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  onTestFinished(() => void vi.unstubAllEnvs())
  const own = {
    DATABASE_URL: 'postgres://127.0.0.1/own',
    RPC_URLS: 'http://127.0.0.1:8545',
    CHAIN_ID: '31337',
    DEPLOYMENTS_DIR: join(ROOT, 'deployments'),
    PORT: '4000',
  }
  for (const name of [...Object.keys(own), 'LOG_LEVEL']) vi.stubEnv(name, 'of the shell')
  const main = join(folder, 'main.ts')
  const names = JSON.stringify([...Object.keys(own), 'LOG_LEVEL'])
  writeFileSync(main, `for (const name of ${names}) console.log(process.env[name]); process.exit()`)
  const { DATABASE_URL: databaseUrl, RPC_URLS: rpcUrl, PORT } = own
  const lines: string[] = []
  const onLine = (line: string) => lines.push(line)
  const options = { databaseUrl, rpcUrl, chainId: 31_337, onLine }
  await startNodeService('the service', relative(ROOT, main), options, { PORT }).exited
  expect(lines).toEqual([...Object.values(own), 'of the shell'])
})
