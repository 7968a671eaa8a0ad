/** The protocol is deployed once, verified, and described by a manifest that the other processes accept. */
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Address, parseEther, parseGwei } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { financingRouterAbi } from '../../abis/FinancingRouter.ts'
import { tokenRegistryAbi } from '../../abis/TokenRegistry.ts'
import { checkDeployment } from '../../api/chain/check-deployment.ts'
import { createChain } from '../../api/chain/client.ts'
import { protocolAddresses } from '../../contracts/protocol.ts'
import { createJournal, journalFile, readJournal } from '../../deploy/journal.ts'
import { unlockedSigner } from '../../deploy/signer.ts'
import { loadManifest } from '../../deployments/manifest.ts'
import { buildDescriptors } from '../../scripts/descriptors.ts'
import { NODE_TIMEOUT_MS } from '../support/limits.ts'
import { startNodeProxy } from '../support/node-proxy.ts'
import { lowercase, wellKnownParties } from '../support/parties.ts'
import {
  CHAIN_ID,
  type Deployer,
  deployToken,
  failure,
  filesOf,
  run,
  type Stage,
  startStage,
} from './stage.ts'

let stage: Stage
let token: Address
let otherToken: Address
const { admin, issuer, curator, provider, relayer } = wellKnownParties()

beforeAll(async () => {
  stage = await startStage()
  token = await deployToken(stage, 'ONE')
  otherToken = await deployToken(stage, 'TWO')
})
afterAll(() => stage.stop())

const nonceOf = (address: Address) => stage.client.getTransactionCount({ address })

/** The transactions of the journal, in their order. */
function transactionsOf({ folder }: Deployer) {
  const sent = Object.values(readJournal(folder, CHAIN_ID)?.sent ?? {})
  const hashes = sent.flatMap((step) => step.hashes)
  return Promise.all(hashes.map((hash) => stage.client.getTransaction({ hash })))
}

describe('a deployment', () => {
  it('is at the addresses of its plan, and its manifest is what the gateway and the descriptors accept', async () => {
    const deployer = await stage.newDeployer()
    const planned = await run(stage, deployer, { request: { dryRun: true } })
    expect(planned.manifest).toBeUndefined()
    expect(await nonceOf(deployer.signer.address)).toBe(0)
    expect(readdirSync(deployer.folder)).toEqual([])

    const { number: final } = await stage.client.getBlock({ blockTag: 'finalized' })
    const { printed } = await run(stage, deployer)
    const manifest = loadManifest(CHAIN_ID, deployer.folder)
    expect(manifest.startBlock).toBe(Number(final) + 1)
    expect(manifest.contracts).toEqual(protocolAddresses(deployer.signer.address, 0))
    for (const address of Object.values(manifest.contracts)) {
      expect(planned.printed).toContain(address)
      expect(printed).toContain(address)
    }
    await checkDeployment(createChain({ urls: [stage.rpcUrl], timeout: NODE_TIMEOUT_MS }), manifest)
    const descriptors = JSON.stringify([...buildDescriptors([loadManifest(31_337), manifest])])
    for (const name of ['claimRegistry', 'financingRouter'] as const) {
      expect(descriptors.toLowerCase()).toContain(
        `{"chainid":${CHAIN_ID},"address":"${manifest.contracts[name]}"}`,
      )
    }
    const logs = await stage.client.getLogs({
      address: Object.values(manifest.contracts),
      fromBlock: 0n,
      toBlock: 'latest',
    })
    expect(logs.length).toBeGreaterThan(0)
    for (const { blockNumber } of logs) expect(blockNumber).toBeGreaterThanOrEqual(manifest.startBlock)
  })

  it('sends each transaction with a fifth more gas than it uses', async () => {
    const deployer = await stage.newDeployer()
    await run(stage, deployer)
    const sent = Object.values(readJournal(deployer.folder, CHAIN_ID)?.sent ?? {})
    const hashes = sent.flatMap(({ hashes }) => hashes)
    expect(hashes.length).toBeGreaterThan(0)
    for (const hash of hashes) {
      const { gas } = await stage.client.getTransaction({ hash })
      const { gasUsed } = await stage.client.getTransactionReceipt({ hash })
      expect(gas).toBeGreaterThanOrEqual((6n * gasUsed) / 5n)
    }
  })

  it('changes nothing when it is repeated, and needs no key to be verified', async () => {
    const deployer = await stage.newDeployer()
    await run(stage, deployer, { request: { tokens: [{ address: token, resetsApproval: true }] } })
    const before = filesOf(deployer)
    const nonce = await nonceOf(deployer.signer.address)
    expect(nonce).toBe(6)
    await run(stage, deployer)
    const { printed } = await run(stage, deployer, { signer: 'none' })
    expect(printed).toMatch(/nothing is to be sent/)
    expect(filesOf(deployer)).toEqual(before)
    expect(await nonceOf(deployer.signer.address)).toBe(nonce)
  })

  it('gives each role to its holder', async () => {
    const deployer = await stage.newDeployer()
    const roles = {
      admin: admin.address,
      issuerManager: issuer.address,
      tokenManager: curator.address,
      vaultManager: provider.address,
      pauser: relayer.address,
      adminDelay: 3600,
    }
    const { printed } = await run(stage, deployer, { request: { roles } })
    const { contracts } = loadManifest(CHAIN_ID, deployer.folder)
    const stated = [
      ['deployer', deployer.signer.address],
      ['administrator', `${admin.address}; a change takes 3600 seconds`],
      ['issuer manager', issuer.address],
      ['token manager', curator.address],
      ['vault manager', provider.address],
      ['pauser', relayer.address],
      ...Object.entries(contracts),
    ]
    // In the plan, and in its result.
    for (const [name, value] of stated) {
      const rows = printed.match(new RegExp(`(^| )${name} +${value}(?=,|$)`, 'gm'))
      expect(rows, name).toHaveLength(2)
    }
    const { financingRouter: address } = contracts
    const router = { abi: financingRouterAbi, address }
    expect(await stage.client.readContract({ ...router, functionName: 'defaultAdminDelay' })).toBe(3600)
    const now = await stage.client.readContract({ ...router, functionName: 'defaultAdmin' })
    expect(lowercase(now)).toBe(admin.address)
  })

  it('lists tokens, also later, and writes to the manifest what the registry stored', async () => {
    const deployer = await stage.newDeployer()
    await run(stage, deployer, { request: { tokens: [{ address: token, resetsApproval: false }] } })
    await run(stage, deployer, { request: { tokens: [{ address: otherToken, resetsApproval: true }] } })
    const { tokens, contracts } = loadManifest(CHAIN_ID, deployer.folder)
    expect(tokens).toEqual([
      { address: token, name: 'Token ONE', symbol: 'ONE', decimals: 6, resetsApproval: false },
      { address: otherToken, name: 'Token TWO', symbol: 'TWO', decimals: 6, resetsApproval: true },
    ])
    const registry = { abi: tokenRegistryAbi, address: contracts.tokenRegistry }
    for (const listed of [token, otherToken]) {
      expect(await stage.client.readContract({ ...registry, functionName: 'isListed', args: [listed] })).toBe(
        true,
      )
    }
  })

  it('prints where the other processes find its manifest, and no control character of a symbol', async () => {
    const deployer = await stage.newDeployer()
    const tokens = [{ address: await deployToken(stage, 'A\u001b[2J\u009b'), resetsApproval: false }]
    const { manifest, printed } = await run(stage, deployer, { request: { tokens } })
    expect(manifest?.tokens).toMatchObject([{ symbol: 'A\u001b[2J\u009b' }])
    expect(printed).toContain('token A?[2J? ')
    for (const character of '\u001b\u009b') expect(printed).not.toContain(character)
    for (const script of ['start:indexer', 'start:gateway']) {
      const line = printed.split('\n').find((one) => one.endsWith(`npm run ${script}`))
      expect(line).toContain(`CHAIN_ID=${CHAIN_ID} DEPLOYMENTS_DIR=${deployer.folder} `)
    }
  })

  it('writes to the manifest how a token takes approvals by the last run that names it, and keeps the other tokens', async () => {
    const deployer = await stage.newDeployer()
    const [first, second] = [token, otherToken].map((address) => ({ address, resetsApproval: false }))
    if (!first || !second) throw new Error('there are two tokens')
    await run(stage, deployer, { request: { tokens: [first, second] } })
    const { manifest } = await run(stage, deployer, {
      request: { tokens: [{ ...first, resetsApproval: true }] },
    })
    expect(manifest?.tokens).toMatchObject([{ ...first, resetsApproval: true }, second])
    expect(loadManifest(CHAIN_ID, deployer.folder)).toEqual(manifest)
    expect(await nonceOf(deployer.signer.address)).toBe(7)
  })

  it('sends a transaction when the one before has its confirmations', async () => {
    const deployer = await stage.newDeployer()
    const pause = () => stage.client.mine({ blocks: 1 })
    await run(stage, deployer, { pause, request: { confirmations: 3 } })
    const latest = await stage.client.getBlockNumber()
    const sent = Object.values(readJournal(deployer.folder, CHAIN_ID)?.sent ?? {})
    const hashes = sent.flatMap(({ hashes }) => hashes)
    const receipts = await Promise.all(hashes.map((hash) => stage.client.getTransactionReceipt({ hash })))
    const blocks = [...receipts.map(({ blockNumber }) => blockNumber), latest + 1n]
    expect(blocks).toHaveLength(6)
    for (const [index, block] of blocks.slice(1).entries()) {
      expect(block - (blocks[index] ?? 0n)).toBeGreaterThanOrEqual(3n)
    }
  })

  it('pays no more than the limit, where twice the base fee is above it', async () => {
    const deployer = await stage.newDeployer()
    const maxFee = parseGwei('17')
    await stage.client.setNextBlockBaseFeePerGas({ baseFeePerGas: parseGwei('10') })
    await stage.client.mine({ blocks: 1 })
    await run(stage, deployer, { request: { maxFee } })
    const sent = Object.values(readJournal(deployer.folder, CHAIN_ID)?.sent ?? {})
    const hashes = sent.flatMap((step) => step.hashes)
    const transactions = await Promise.all(hashes.map((hash) => stage.client.getTransaction({ hash })))
    const fees = transactions.map(({ maxFeePerGas = 0n }) => maxFeePerGas)
    expect(fees).toHaveLength(5)
    expect(fees[0]).toBe(maxFee)
    expect(fees.filter((fee) => fee > maxFee)).toEqual([])
  })

  it('can be sent by an account that the node has unlocked', async () => {
    const deployer = await stage.newDeployer()
    const { address } = deployer.signer
    await stage.client.impersonateAccount({ address })
    const maxFee = parseGwei('17')
    await stage.client.setNextBlockBaseFeePerGas({ baseFeePerGas: parseGwei('10') })
    await stage.client.mine({ blocks: 1 })
    const { manifest } = await run(stage, deployer, { signer: unlockedSigner(address), request: { maxFee } })
    await stage.client.stopImpersonatingAccount({ address })
    expect(manifest?.contracts).toEqual(protocolAddresses(address, 0))
    const [first] = await transactionsOf(deployer)
    expect(first?.maxFeePerGas).toBe(maxFee)
    expect(first?.maxPriorityFeePerGas).toBe(await stage.client.estimateMaxPriorityFeePerGas())
    for (const { hash, gas } of await transactionsOf(deployer)) {
      const { gasUsed } = await stage.client.getTransactionReceipt({ hash })
      expect(gas).toBeGreaterThanOrEqual((6n * gasUsed) / 5n)
    }
  })
})

describe('nothing is sent', () => {
  it('to a node of another chain', async () => {
    const deployer = await stage.newDeployer()
    const { code, message } = await failure(run(stage, deployer, { request: { chainId: 10 } }))
    expect([code, message]).toEqual(['WRONG_CHAIN', 'the node serves chain 84532, not 10'])
  })

  it('to a node that does not answer, which is asked again after longer and longer pauses', async () => {
    const deployer = await stage.newDeployer()
    const asked: string[] = []
    const node = await startNodeProxy(({ method }) => {
      asked.push(method)
      return { status: 502 }
    })
    const pauses: number[] = []
    const pause = async (ms: number) => void pauses.push(ms)
    expect((await failure(run(stage, deployer, { url: node.url, pause }))).code).toBe('NODE_UNAVAILABLE')
    // The chain id and the genesis block are read at once: the last attempt at one of them may be under way.
    await expect.poll(() => asked.length).toBe(8)
    await node.stop()
    expect(pauses.toSorted((a, b) => a - b)).toEqual([500, 500, 1000, 1000, 2000, 2000])
    expect(asked.filter((method) => method === 'eth_chainId')).toHaveLength(4)
  })

  it('to another chain with the same id than that of the journal', async () => {
    const deployer = await stage.newDeployer()
    await run(stage, deployer)
    const text = filesOf(deployer).journal
    const other = text.replace(/"genesis": "0x\w+"/, `"genesis": "0x${'12'.repeat(32)}"`)
    writeFileSync(join(deployer.folder, `${CHAIN_ID}.journal.json`), other)
    expect(await failure(run(stage, deployer))).toMatchObject({
      code: 'WRONG_CHAIN',
      message: expect.stringContaining('serves the genesis block'),
    })
  })

  it('from an account whose balance does not cover the plan', async () => {
    const deployer = await stage.newDeployer(parseEther('0.001'))
    const { code, message } = await failure(run(stage, deployer))
    expect(code).toBe('BALANCE_TOO_LOW')
    expect(message).toMatch(/has 1000000000000000 wei on chain 84532; the plan may cost \d+ wei/)
    expect(existsSync(join(deployer.folder, `${CHAIN_ID}.journal.json`))).toBe(false)
  })

  it('from an account with a wei less than the plan may cost: the gas of each transaction at the highest fee', async () => {
    const deployer = await stage.newDeployer(0n)
    const { address } = deployer.signer
    const dryRun = { request: { dryRun: true, tokens: [{ address: token, resetsApproval: false }] } }
    const attempt = () => failure(run(stage, deployer, dryRun))
    const { message } = await attempt()
    const total = BigInt(/the plan may cost (\d+) wei/.exec(message)?.[1] ?? '')
    await stage.client.setBalance({ address, value: total - 1n })
    expect(await attempt()).toMatchObject({
      code: 'BALANCE_TOO_LOW',
      message: expect.stringMatching(/Send it 1 wei or more\.$/),
    })
    await stage.client.setBalance({ address, value: total })
    const { printed } = await run(stage, deployer, dryRun)
    const gas = [...printed.matchAll(/^ {2}\d+ +(\d+) +(?:\w+Registry|financingRouter|token) /gm)]
    expect(gas).toHaveLength(6)
    const [, fee = ''] = /at most (\S+) gwei per gas/.exec(printed) ?? []
    expect(gas.reduce((sum, [, each = '']) => sum + BigInt(each), 0n) * parseGwei(fee)).toBe(total)
  })

  it('from an account with a pending transaction', async () => {
    const deployer = await stage.newDeployer()
    const { address } = deployer.signer
    await stage.client.impersonateAccount({ address })
    await stage.client.setAutomine(false)
    try {
      await stage.client.sendTransaction({ account: address, to: admin.address, chain: null })
      expect(await failure(run(stage, deployer))).toMatchObject({
        code: 'DEPLOYER_BUSY',
        message: expect.stringContaining('has 1 pending transactions'),
      })
    } finally {
      await stage.client.setAutomine(true)
    }
    await stage.client.mine({ blocks: 1 })
    const { manifest } = await run(stage, deployer)
    expect(manifest?.contracts).toEqual(protocolAddresses(address, 1))
  })

  it('beside a journal that another process has created, or that is none', async () => {
    const [first, second] = [await stage.newDeployer(), await stage.newDeployer()]
    await run(stage, first)
    const { journal: text } = filesOf(first)
    const journal = readJournal(first.folder, CHAIN_ID)
    if (!journal) throw new Error('there is no journal')
    expect(await failure((async () => createJournal(first.folder, journal))())).toMatchObject({
      code: 'JOURNAL_DIFFERS',
      message: expect.stringContaining('another deployment runs'),
    })
    expect(filesOf(first).journal).toBe(text)
    const file = journalFile(second.folder, CHAIN_ID)
    for (const damaged of ['', '{}', text.replace('"deployer"', '"sender"'), text.slice(0, -3)]) {
      writeFileSync(file, damaged)
      expect((await failure(run(stage, second))).code).toBe('FILE_INVALID')
    }
    const absent = join(first.folder, `${CHAIN_ID}.json`, 'folder')
    expect((await failure((async () => createJournal(absent, journal))())).code).toBe('FILE_INVALID')
    expect(await nonceOf(second.signer.address)).toBe(0)
  })

  it('at a fee above the limit', async () => {
    const deployer = await stage.newDeployer()
    expect(await failure(run(stage, deployer, { request: { maxFee: parseGwei('0.5') } }))).toMatchObject({
      code: 'FEE_TOO_HIGH',
      message: expect.stringContaining('the limit is 0.5 gwei'),
    })
  })

  it('beside a manifest of another deployment', async () => {
    const [first, second] = [await stage.newDeployer(), await stage.newDeployer()]
    await run(stage, first)
    const before = filesOf(first)
    writeFileSync(join(second.folder, `${CHAIN_ID}.json`), before.manifest)
    expect((await failure(run(stage, second))).code).toBe('MANIFEST_EXISTS')
    expect(await nonceOf(second.signer.address)).toBe(0)
    writeFileSync(join(second.folder, `${CHAIN_ID}.json`), '{}')
    expect((await failure(run(stage, second))).code).toBe('FILE_INVALID')
    expect((await failure(run(stage, { ...first, signer: second.signer }))).code).toBe('JOURNAL_DIFFERS')
    expect(filesOf(first)).toEqual(before)
    const { issuerRegistry } = loadManifest(CHAIN_ID, first.folder).contracts
    const other = before.manifest.replace(issuerRegistry, lowercase(second.signer.address))
    writeFileSync(join(first.folder, `${CHAIN_ID}.json`), other)
    expect((await failure(run(stage, first))).code).toBe('MANIFEST_EXISTS')
    expect(filesOf(first).manifest).toBe(other)
  })

  it('where any role is another than that of the journal', async () => {
    const deployer = await stage.newDeployer()
    await run(stage, deployer)
    const before = filesOf(deployer)
    const nonce = await nonceOf(deployer.signer.address)
    const holders = ['admin', 'issuerManager', 'tokenManager', 'vaultManager', 'pauser'] as const
    const changes = [...holders.map((name) => ({ [name]: curator.address })), { adminDelay: 77 }]
    for (const roles of changes)
      expect(await failure(run(stage, deployer, { request: { roles } }))).toMatchObject({
        code: 'JOURNAL_DIFFERS',
        message: expect.stringContaining(`${Object.keys(roles)[0]} is `),
      })
    expect(filesOf(deployer)).toEqual(before)
    expect(await nonceOf(deployer.signer.address)).toBe(nonce)
  })

  it('for a token of more than 36 decimals, and not for one of 36', async () => {
    const deployer = await stage.newDeployer()
    const largest = { address: await deployToken(stage, 'MOST', 36), resetsApproval: false }
    const larger = { address: await deployToken(stage, 'MORE', 37), resetsApproval: false }
    expect(await failure(run(stage, deployer, { request: { tokens: [larger] } }))).toMatchObject({
      code: 'TOKEN_UNREADABLE',
      message: `token ${larger.address} has 37 decimals; the maximum is 36`,
    })
    const { manifest } = await run(stage, deployer, { request: { tokens: [largest] } })
    expect(manifest?.tokens).toMatchObject([{ address: largest.address, decimals: 36 }])
  })

  it('for a token that cannot be listed, or that another account lists', async () => {
    const deployer = await stage.newDeployer()
    const absent = { address: admin.address, resetsApproval: false }
    expect(await failure(run(stage, deployer, { request: { tokens: [absent] } }))).toMatchObject({
      code: 'TOKEN_UNREADABLE',
      message: `token ${admin.address} has no contract on this chain`,
    })
    const request = {
      tokens: [{ address: token, resetsApproval: false }],
      roles: { tokenManager: curator.address },
    }
    expect((await failure(run(stage, deployer, { request }))).code).toBe('TOKEN_NOT_LISTABLE')
    const mute = { address: `0x${'70'.repeat(20)}`, resetsApproval: false } as const
    await stage.client.setCode({ address: mute.address, bytecode: '0x00' })
    expect(await failure(run(stage, deployer, { request: { tokens: [mute] } }))).toMatchObject({
      code: 'TOKEN_UNREADABLE',
      message: `token ${mute.address} does not answer decimals()`,
    })
    expect(await nonceOf(deployer.signer.address)).toBe(0)
  })

  it('without an account', async () => {
    const deployer = await stage.newDeployer()
    expect((await failure(run(stage, deployer, { signer: 'none' }))).code).toBe('KEY_MISSING')
  })
})
