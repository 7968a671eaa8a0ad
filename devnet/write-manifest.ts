/**
 * Deploys to a new local chain and writes `deployments/31337.json`: the addresses are the same on every new chain.
 * Writes the labels of the demo market beside it. With `--check` it writes nothing and fails when a committed file
 * differs.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createWalletClient, http } from 'viem'
import { foundry } from 'viem/chains'
import { jsonText, manifestText, replaceFile } from '../deployments/write.ts'
import { isCheck } from '../settings/command-line.ts'
import { demoAccount } from './accounts.ts'
import { startChain } from './chain.ts'
import { deployDevnet, GENERATED } from './deployment.ts'
import { freePort } from './ports.ts'
import { actorsOf, CLAIM_KINDS, ISSUERS, OPERATOR, TOKENS } from './world/accounts.ts'
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

/** The names of the demo market. The last issuer has none, as issuers on a real chain can. */
function devnetLabels(): string {
  const actors = actorsOf(3)
  const named = ISSUERS.slice(0, -1).map((index) => demoAccount(at(actors, index), index))
  return jsonText({
    generated: GENERATED,
    claimTypes: Object.fromEntries(CLAIM_KINDS.map(({ name }, type) => [type, capitalized(name)])),
    issuers: Object.fromEntries(named.map(({ address, name }) => [address, name])),
  })
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

function writeOrCheck(name: string, text: string, checks: boolean): void {
  const file = join(import.meta.dirname, `../deployments/${name}`)
  if (!checks) {
    replaceFile(file, text)
    console.log(`wrote deployments/${name}`)
  } else if (existsSync(file) && readFileSync(file, 'utf8') === text) {
    console.log(`deployments/${name} is current`)
  } else {
    console.error(`deployments/${name} is out of date: run "npm run generate" and commit the result`)
    process.exitCode = 1
  }
}

if (import.meta.main) {
  const checks = isCheck('devnet/write-manifest.ts', 'manifest and labels of the local chain')
  writeOrCheck(`${foundry.id}.json`, await devnetManifest(), checks)
  writeOrCheck(`${foundry.id}.labels.json`, devnetLabels(), checks)
}
