/** A wallet for programs: an EIP-1193 provider that signs with a local account, as a browser's would after a click. */
import {
  type Client,
  createWalletClient,
  type Hex,
  http,
  isAddress,
  isHex,
  type LocalAccount,
  numberToHex,
} from 'viem'
import { call, estimateGas } from 'viem/actions'
import { foundry } from 'viem/chains'
import type { Eip1193Provider } from '../packages/client/src/index.ts'

export function createAccountWallet(account: LocalAccount, rpcUrl: string): Eip1193Provider {
  const wallet = createWalletClient({ account, chain: foundry, transport: http(rpcUrl) })
  return {
    async request({ method, params = [] }) {
      const [first, second] = params
      switch (method) {
        case 'eth_accounts':
        case 'eth_requestAccounts':
          return [account.address]
        case 'eth_chainId':
          return `0x${foundry.id.toString(16)}`
        case 'personal_sign':
          return account.signMessage({ message: { raw: hex(first) } })
        case 'eth_signTypedData_v4':
          return account.signTypedData(JSON.parse(String(second)))
        case 'eth_call':
          return callContract(wallet, first, second)
        case 'eth_estimateGas':
          return numberToHex(await estimateGas(wallet, { account, ...transactionOf(first) }))
        case 'eth_sendTransaction':
          return wallet.sendTransaction(transactionOf(first))
        default:
          throw new Error(`this wallet does not know ${method}`)
      }
    },
  }
}

/** @param at number of a block, in hex, or `latest` */
async function callContract(node: Client, request: unknown, at: unknown): Promise<Hex> {
  const { to, data }: { to?: unknown; data?: unknown } = Object(request)
  const block = at === 'latest' ? {} : { blockNumber: BigInt(hex(at)) }
  return (await call(node, { to: hex(to), data: hex(data), ...block })).data ?? '0x'
}

function transactionOf(request: unknown): { to: Hex; data: Hex; value: bigint; gas?: bigint } {
  const {
    to,
    data,
    value = '0x0',
    gas,
  }: Partial<Record<'to' | 'data' | 'value' | 'gas', unknown>> = Object(request)
  if (typeof to !== 'string' || !isAddress(to)) throw new Error('a transaction of ours names a contract')
  const limit = gas === undefined ? {} : { gas: BigInt(hex(gas)) }
  return { to, data: hex(data), value: BigInt(hex(value)), ...limit }
}

function hex(value: unknown): Hex {
  if (!isHex(value)) throw new Error(`${String(value)} is not hex`)
  return value
}
