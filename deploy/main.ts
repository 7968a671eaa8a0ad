/**
 * `npm run deploy`. Exit code 0: deployed and verified, or planned; 1: not, run it again to continue; 2: the options
 * are not valid.
 */
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { connect } from '../nodes/connect.ts'
import { unknownSettings } from '../settings/unknown.ts'
import { signerOf } from './account.ts'
import { deploy } from './deploy.ts'
import { DeployError } from './errors.ts'
import { createNode } from './node.ts'
import { type Options, parseOptions, USAGE } from './options.ts'

/** Milliseconds that the node may take for one request. */
const NODE_TIMEOUT_MS = 20_000

async function run({ rpcUrl, account, request }: Options): Promise<void> {
  const signer = account && signerOf(account)
  const node = createNode(connect(rpcUrl, 'the node', { timeout: NODE_TIMEOUT_MS }), pause)
  const print = (line: string) => console.log(line)
  await deploy(request, { node, ...(signer && { signer }), clock: Date.now, pause, print })
}

for (const message of unknownSettings(process.env)) console.error(`warning: ${message}`)
try {
  const options = parseOptions(process.argv.slice(2), process.env, join(import.meta.dirname, '..'))
  if (options) await run(options)
  else console.log(USAGE)
} catch (error) {
  // Anything else is a defect: Node prints it with its stack.
  if (!(error instanceof DeployError)) throw error
  console.error(`${error.code}: ${error.message}`)
  if (error.code === 'OPTIONS_INVALID') console.error(`\n${USAGE}`)
  process.exitCode = error.code === 'OPTIONS_INVALID' ? 2 : 1
}
