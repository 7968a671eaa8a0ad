/**
 * Deploys to a new local chain and writes `deployments/31337.json`: the addresses are the same on every new chain.
 * With `--check` it writes nothing and fails when the committed file differs.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createWalletClient, http } from 'viem'
import { foundry } from 'viem/chains'
import { manifestText, replaceFile } from '../deployments/write.ts'
import { demoAccount } from './accounts.ts'
import { startChain } from './chain.ts'
import { deployDevnet } from './deployment.ts'
import { freePort } from './ports.ts'
import { actorsOf, OPERATOR, TOKENS } from './world/accounts.ts'
import { at } from './world/random.ts'

async function devnetManifest(): Promise<string> {
  const chain = await startChain(await freePort())
  try {
    const { signer } = demoAccount(at(actorsOf(3), OPERATOR), OPERATOR)
    const deployer = createWalletClient({ account: signer, chain: foundry, transport: http(chain.rpcUrl) })
    return manifestText(await deployDevnet(deployer, TOKENS))
  } finally {
    await chain.stop()
  }
}

if (import.meta.main) {
  const file = join(import.meta.dirname, `../deployments/${foundry.id}.json`)
  const text = await devnetManifest()
  if (!process.argv.includes('--check')) {
    replaceFile(file, text)
    console.log(`wrote deployments/${foundry.id}.json`)
  } else if (existsSync(file) && readFileSync(file, 'utf8') === text) {
    console.log(`deployments/${foundry.id}.json matches the contracts`)
  } else {
    console.error(
      `deployments/${foundry.id}.json is out of date: run "npm run generate" and commit the result`,
    )
    process.exitCode = 1
  }
}
