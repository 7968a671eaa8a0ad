/** `npm run demo`: runs the whole flow against the dev system (`npm run dev`) and reports each step. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createPublicClient, http } from 'viem'
import { GatewayError } from '../packages/client/src/index.ts'
import { readCommandLine } from '../settings/command-line.ts'
import { runFlow } from './flow.ts'
import { createReporter } from './reporter.ts'

const START = 'Start it in another terminal, wait until it is ready, and try again: npm run dev'

const USAGE = `usage: npm run demo -- [--folder PATH]

Runs the life of claims on the system of "npm run dev".

  --folder PATH   where the data of that system are (default .devnet in the project)`

const options = { folder: { type: 'string', default: join(import.meta.dirname, '../.devnet') } } as const
const { values } = readCommandLine(USAGE, () => parseArgs({ options }))

try {
  const { gatewayUrl, rpcUrl, accounts, finalitySeconds } = readEndpoints(
    join(values.folder, 'endpoints.json'),
  )
  const chain = createPublicClient({ transport: http(rpcUrl) })
  const timeOf = async (blockTag: 'latest' | 'finalized') =>
    Number((await chain.getBlock({ blockTag })).timestamp)
  const chainTime = () => timeOf('latest')
  // The gateway takes the later time of its clock and the finalized block, and the chain can be ahead of the clock.
  const until = async (time: number) => {
    while ((await timeOf('finalized')) < time) await pause(1000)
  }
  const report = createReporter((text) => process.stdout.write(text))
  await runFlow({ gatewayUrl, rpcUrl, accounts, finalitySeconds, report, chainTime, until })
  report.print(
    `Look around: ${gatewayUrl}/docs and ${gatewayUrl}/api/v1/graphql. The source of this run is demo/flow.ts.`,
  )
} catch (error) {
  const hint = error instanceof GatewayError && error.code === 'UNREACHABLE' ? `\n${START}` : ''
  console.error(`\n${error instanceof Error ? error.message : error}${hint}`)
  process.exitCode = 1
}

function readEndpoints(file: string) {
  if (!existsSync(file)) throw new Error(`No dev system is running.\n${START}`)
  return JSON.parse(readFileSync(file, 'utf8'))
}
