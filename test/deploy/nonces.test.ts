/** Each step of a deployment has one nonce: its transaction is looked for, waited for, and sent again with that. */
import { type Hex, numberToHex } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readJournal, recordSent } from '../../deploy/journal.ts'
import { startNodeProxy } from '../support/node-proxy.ts'
import { CHAIN_ID, type Deployer, deployToken, failure, run, type Stage, startStage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await startStage()
})
afterAll(() => stage.stop())

const nonceOf = ({ signer }: Deployer) => stage.client.getTransactionCount({ address: signer.address })

const mineAgain = async () => {
  await stage.client.setAutomine(true)
  await stage.client.mine({ blocks: 1 })
}

it('waits for a transaction that the node does not find now and then', async () => {
  const deployer = await stage.newDeployer()
  const minedAfter = 25
  let looks = 0
  const node = await startNodeProxy(({ method, params }) => {
    if (looks % 2 === 0 || looks >= minedAfter) return undefined
    if (method === 'eth_getTransactionByHash') return { result: null }
    return method === 'eth_getTransactionCount' && params[1] === 'pending' ? { result: '0x0' } : undefined
  }, stage.rpcUrl)
  const pause = async () => {
    looks += 1
    if (looks === minedAfter) await mineAgain()
  }
  await stage.client.setAutomine(false)
  try {
    await run(stage, deployer, { url: node.url, pause })
  } finally {
    await stage.client.setAutomine(true)
    await node.stop()
  }
  expect(await nonceOf(deployer)).toBe(5)
})

it('sends a transaction that the node refuses once', async () => {
  const deployer = await stage.newDeployer()
  let sent = 0
  const node = await startNodeProxy(({ method }) => {
    if (method !== 'eth_sendRawTransaction') return undefined
    sent += 1
    return { error: { code: -32_000, message: 'no room' } }
  }, stage.rpcUrl)
  try {
    expect((await failure(run(stage, deployer, { url: node.url }))).code).toBe('SEND_REFUSED')
  } finally {
    await node.stop()
  }
  expect(sent).toBe(1)
})

it('keeps the nonce of a listing that is pending', async () => {
  const deployer = await stage.newDeployer()
  await run(stage, deployer)
  const tokens = [{ address: await deployToken(stage, 'ONE'), resetsApproval: false }]
  await stage.client.setAutomine(false)
  try {
    const hurried = run(stage, deployer, { request: { tokens, waitMs: 0 } })
    expect((await failure(hurried)).code).toBe('TRANSACTION_PENDING')
    await run(stage, deployer, { request: { tokens }, pause: mineAgain })
  } finally {
    await stage.client.setAutomine(true)
  }
  expect(await nonceOf(deployer)).toBe(6)
})

it('keeps the nonce of a listing that is mined and not confirmed', async () => {
  const deployer = await stage.newDeployer()
  await run(stage, deployer)
  const token = { address: await deployToken(stage, 'ONE'), resetsApproval: false }
  await stage.client.mine({ blocks: 3 })
  const request = { tokens: [token], confirmations: 3 }
  const hurried = run(stage, deployer, { request: { ...request, waitMs: 0 } })
  expect((await failure(hurried)).code).toBe('TRANSACTION_PENDING')
  const pause = () => stage.client.mine({ blocks: 1 })
  const { manifest } = await run(stage, deployer, { request, pause })
  expect(manifest?.tokens).toMatchObject([token])
  expect(await nonceOf(deployer)).toBe(6)
})

/** A complete deployment, with a token whose listing the node has dropped, and one that is not listed yet. */
async function dropListing() {
  const deployer = await stage.newDeployer()
  await run(stage, deployer)
  const dropped = { address: await deployToken(stage, 'ONE'), resetsApproval: false }
  const further = { address: await deployToken(stage, 'TWO'), resetsApproval: false }
  await stage.client.setAutomine(false)
  try {
    const hurried = run(stage, deployer, { request: { tokens: [dropped], waitMs: 0 } })
    expect((await failure(hurried)).code).toBe('TRANSACTION_PENDING')
    const [hash] = readJournal(deployer.folder, CHAIN_ID)?.sent[`token ${dropped.address}`]?.hashes ?? []
    if (!hash) throw new Error('nothing was sent')
    await stage.client.dropTransaction({ hash })
  } finally {
    await stage.client.setAutomine(true)
  }
  let looks = 0
  const pause = async () => {
    looks += 1
    if (looks > 100) throw new Error('a transaction waits for one that is not sent')
  }
  return { deployer, dropped, further, pause }
}

it('gives a further token the nonce after that of a listing which the node has dropped', async () => {
  const { deployer, dropped, further, pause } = await dropListing()
  const { manifest } = await run(stage, deployer, { request: { tokens: [dropped, further] }, pause })
  expect(manifest?.tokens).toMatchObject([dropped, further])
  expect(await nonceOf(deployer)).toBe(7)
})

it('sends a listing that the node has dropped before one with a later nonce, whichever is named first', async () => {
  const { deployer, dropped, further, pause } = await dropListing()
  const { manifest } = await run(stage, deployer, { request: { tokens: [further, dropped] }, pause })
  expect(manifest?.tokens).toMatchObject([further, dropped])
  expect(await nonceOf(deployer)).toBe(7)
})

it('gives a listing the nonce after that of another pending transaction of its account', async () => {
  const deployer = await stage.newDeployer()
  await run(stage, deployer)
  const tokens = [{ address: await deployToken(stage, 'ONE'), resetsApproval: false }]
  const { address } = deployer.signer
  await stage.client.impersonateAccount({ address })
  await stage.client.setAutomine(false)
  try {
    const hash = await stage.client.sendTransaction({ account: address, to: address, chain: null })
    await run(stage, deployer, { request: { tokens }, pause: mineAgain })
    expect((await stage.client.getTransactionReceipt({ hash })).status).toBe('success')
  } finally {
    await stage.client.setAutomine(true)
  }
  expect(await nonceOf(deployer)).toBe(7)
})

it('looks for each transaction of the present nonce of a step, and for no other', async () => {
  const deployer = await stage.newDeployer()
  await run(stage, deployer)
  const { folder } = deployer
  const journal = readJournal(folder, CHAIN_ID)
  if (!journal) throw new Error('there is no journal')
  const [former, present, again] = (['1', '2', '3'] as const).map((digit): Hex => `0x${digit.repeat(64)}`)
  recordSent(folder, journal, { name: 'token', nonce: 5 }, former)
  // Attempts whose hash is not known yet, and one that is repeated.
  for (const hash of [undefined, present, again, present, undefined])
    recordSent(folder, journal, { name: 'token', nonce: 6 }, hash)
  expect(readJournal(folder, CHAIN_ID)?.sent.token).toEqual({ nonce: 6, hashes: [present, again] })
  recordSent(folder, journal, { name: 'token', nonce: 7 })
  expect(readJournal(folder, CHAIN_ID)?.sent.token).toEqual({ nonce: 7, hashes: [] })
})

it('looks for all transactions of a nonce: the first is mined though the node refuses one with a higher fee', async () => {
  const deployer = await stage.newDeployer()
  const hashes = () => readJournal(deployer.folder, CHAIN_ID)?.sent.issuerRegistry?.hashes ?? []
  const error = { code: -32_000, message: 'replacement transaction underpriced' }
  let fee = 2_000_000_000n
  let isRefusing = false
  const node = await startNodeProxy(({ method, params }) => {
    if (method === 'eth_maxPriorityFeePerGas') return { result: numberToHex(fee) }
    if (method === 'eth_getTransactionCount' && params[1] === 'pending') return { result: '0x0' }
    return method === 'eth_sendRawTransaction' && isRefusing ? { error } : undefined
  }, stage.rpcUrl)
  const pause = async () => {
    isRefusing = false
    await mineAgain()
  }
  await stage.client.setAutomine(false)
  try {
    const hurried = () => failure(run(stage, deployer, { url: node.url, request: { waitMs: 0 } }))
    expect((await hurried()).code).toBe('TRANSACTION_PENDING')
    const [first] = hashes()
    isRefusing = true
    for (const times of [1n, 2n]) {
      fee += times
      const { code, message } = await hurried()
      expect([code, message]).toEqual([
        'TRANSACTION_PENDING',
        expect.stringContaining(hashes().at(-1) ?? '?'),
      ])
    }
    expect([new Set(hashes()).size, hashes()[0]]).toEqual([3, first])
    await run(stage, deployer, { url: node.url, pause })
    expect(hashes().slice(0, 1)).toEqual([first])
    expect(await stage.client.getTransactionReceipt({ hash: first ?? '0x' })).toMatchObject({
      status: 'success',
    })
  } finally {
    await stage.client.setAutomine(true)
    await node.stop()
  }
  expect(await nonceOf(deployer)).toBe(5)
})
