/** Accounts that are more than a key: delegated by EIP-7702, or a contract that is not deployed yet. */
import {
  type Address,
  concatHex,
  encodeAbiParameters,
  encodeDeployData,
  getContractAddress,
  type HDAccount,
  type Hex,
  keccak256,
  numberToHex,
  serializeErc6492Signature,
  size,
} from 'viem'
import { english, generateMnemonic, mnemonicToAccount } from 'viem/accounts'
import { smartWalletAbi } from '../../abis/SmartWallet.ts'
import { smartWalletBytecode } from '../../contracts/artifacts/SmartWallet.ts'
import type { ChainClient } from './anvil.ts'
import { lowercase, type Party } from './parties.ts'
import { minedReceipt } from './transactions.ts'

/** A key that nobody used before. */
export const newAccount = (): HDAccount => mnemonicToAccount(generateMnemonic(english))

/** Delegates an account to a contract (EIP-7702); `sponsor` sends the transaction. @returns the authorization */
export async function delegate(
  chain: ChainClient,
  { account, to, sponsor }: { account: HDAccount; to: Address; sponsor: Party },
) {
  const authorization = await chain.signAuthorization({ account, contractAddress: to })
  const hash = await chain.sendTransaction({
    account: sponsor.key,
    to: sponsor.address,
    authorizationList: [authorization],
  })
  await minedReceipt(chain, hash)
  return authorization
}

/** A signature with the authorization of the delegation that verifies it (ERC-8010). */
export function wrapErc8010(
  account: Address,
  authorization: Awaited<ReturnType<typeof delegate>>,
  signature: Hex,
): Hex {
  const { chainId, address, nonce, yParity, r, s } = authorization
  const suffix = encodeAbiParameters(
    [
      {
        type: 'tuple',
        components: [
          { name: 'chainId', type: 'uint256' },
          { name: 'delegation', type: 'address' },
          { name: 'nonce', type: 'uint256' },
          { name: 'yParity', type: 'uint8' },
          { name: 'r', type: 'uint256' },
          { name: 's', type: 'uint256' },
        ],
      },
      { name: 'to', type: 'address' },
      { name: 'data', type: 'bytes' },
    ],
    [
      {
        chainId: BigInt(chainId),
        delegation: address,
        nonce: BigInt(nonce),
        yParity: yParity ?? 0,
        r: BigInt(r),
        s: BigInt(s),
      },
      account,
      '0x',
    ],
  )
  const magic: Hex = `0x${'8010'.repeat(16)}`
  return concatHex([signature, suffix, numberToHex(size(suffix), { size: 32 }), magic])
}

/** Deploys what it is called with by CREATE2; anvil has it from the start. */
const CREATE2_FACTORY = '0x4e59b44847b379578588920ca78fbf26c0b4956c'
const SALT: Hex = `0x${'00'.repeat(32)}`

/** A smart wallet of `owner` at the address that it will have when it is deployed. */
export function counterfactualWallet(owner: Address) {
  const creationCode = encodeDeployData({ abi: smartWalletAbi, bytecode: smartWalletBytecode, args: [owner] })
  const bytecodeHash = keccak256(creationCode)
  const deployment = { to: CREATE2_FACTORY, data: concatHex([SALT, creationCode]) } as const
  return {
    address: lowercase(
      getContractAddress({ opcode: 'CREATE2', from: CREATE2_FACTORY, salt: SALT, bytecodeHash }),
    ),
    /** The transaction that deploys it. */
    deployment,
    /** A signature with what deploys the contract that verifies it (ERC-6492). */
    wrap: (signature: Hex) =>
      serializeErc6492Signature({ address: deployment.to, data: deployment.data, signature }),
  }
}
