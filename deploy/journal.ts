/**
 * The journal of a deployment, `deployments/<chainId>.journal.json`. It is written before the first transaction, and
 * before each further one, so that a deployment continues after any failure. It contains no secret.
 */
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Hex } from 'viem'
import { z } from 'zod'
import { address, hash } from '../deployments/manifest.ts'
import { createFile, jsonText, replaceFile } from '../deployments/write.ts'
import { DeployError } from './errors.ts'

const count = z.number().int().nonnegative()
const shape = z.strictObject({
  about: z.string(),
  chainId: count,
  /** Hash of the genesis block. */
  genesis: hash,
  deployer: address,
  /** Nonce of the first creation; the addresses follow from it and the deployer. */
  firstNonce: count,
  /** The block after the one that was final before the first transaction. */
  startBlock: count,
  roles: z.strictObject({
    admin: address,
    issuerManager: address,
    tokenManager: address,
    vaultManager: address,
    pauser: address,
    adminDelay: count,
  }),
  /**
   * By the name of the step, in the order of the first attempt: its nonce, and the hash of each transaction with it
   * that is known.
   */
  sent: z.record(z.string(), z.strictObject({ nonce: count, hashes: z.array(hash) })),
})

export type Journal = z.output<typeof shape>

const ABOUT =
  'Journal of "npm run deploy". Keep it: a deployment that was interrupted continues from it, and a complete one is verified with it.'

export const journalFile = (folder: string, chainId: number) => join(folder, `${chainId}.journal.json`)

/** @throws DeployError `FILE_INVALID` */
export function readJournal(folder: string, chainId: number): Journal | undefined {
  const file = journalFile(folder, chainId)
  if (!existsSync(file)) return undefined
  try {
    return shape.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch (cause) {
    throw new DeployError(
      'FILE_INVALID',
      `${file} is not a journal of a deployment. Restore it, or move it away to deploy again.`,
      { cause },
    )
  }
}

export function newJournal(facts: Omit<Journal, 'about' | 'sent'>): Journal {
  return { about: ABOUT, ...facts, sent: {} }
}

/** @throws DeployError `JOURNAL_DIFFERS` if another process has created one meanwhile, `FILE_INVALID` */
export function createJournal(folder: string, journal: Journal): void {
  const file = journalFile(folder, journal.chainId)
  write(file, () => {
    mkdirSync(folder, { recursive: true })
    createFile(file, jsonText(journal))
  })
}

/**
 * Records an attempt to send: before it, and with its hash as soon as that is known. @throws DeployError `FILE_INVALID`
 */
export function recordSent(
  folder: string,
  journal: Journal,
  step: { name: string; nonce: number },
  known?: Hex,
): void {
  const before = journal.sent[step.name]
  const hashes = before?.nonce === step.nonce ? before.hashes : []
  const all = known && !hashes.includes(known) ? [...hashes, known] : hashes
  if (before && all === before.hashes) return
  journal.sent[step.name] = { nonce: step.nonce, hashes: all }
  const file = journalFile(folder, journal.chainId)
  write(file, () => replaceFile(file, jsonText(journal)))
}

function write(file: string, work: () => void): void {
  try {
    work()
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'EEXIST') {
      throw new DeployError('JOURNAL_DIFFERS', `${file} was created meanwhile: another deployment runs.`, {
        cause,
      })
    }
    throw new DeployError('FILE_INVALID', `${file} cannot be written, so nothing is sent`, { cause })
  }
}
