import { cp, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { PATCH_FILE } from '../../indexer/service/patch.ts'
import { indexerSchema } from '../../indexer/service/schema-name.ts'

const PROJECT = join(import.meta.dirname, '../..')

describe("the name of the indexer's schema", () => {
  let root: string
  const name = (change: Partial<Parameters<typeof indexerSchema>[0]> = {}) =>
    indexerSchema({
      root,
      manifestFile: join(root, '1.json'),
      genesis: '0xaa',
      ponderVersion: '0.17.7',
      ...change,
    })

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'claim-financing-schema-'))
    for (const part of [
      'ponder.config.ts',
      'ponder.schema.ts',
      'deployments',
      'src',
      'indexer',
      'abis',
      'patches',
    ]) {
      await cp(join(PROJECT, part), join(root, part), { recursive: true })
    }
    await writeFile(join(root, '1.json'), '{}')
  })

  afterAll(() => rm(root, { recursive: true, force: true }))

  it('is the same for the same inputs, and one that Ponder takes', () => {
    expect(name()).toBe(name())
    expect(name()).toMatch(/^indexer_[0-9a-f]{16}$/)
  })

  it('is the same in any folder', async () => {
    const other = await mkdtemp(join(tmpdir(), 'claim-financing-schema-elsewhere-'))
    onTestFinished(() => rm(other, { recursive: true, force: true }))
    await cp(root, other, { recursive: true })
    expect(name({ root: other, manifestFile: join(other, '1.json') })).toBe(name())
  })

  it('is another for another chain or another Ponder', () => {
    expect(name({ genesis: '0xbb' })).not.toBe(name())
    expect(name({ ponderVersion: '0.17.8' })).not.toBe(name())
  })

  it.each(['ponder.config.ts', 'ponder.schema.ts', 'deployments/manifest.ts', '1.json'])(
    'is another after a change of %s',
    changes,
  )
  it.each(['src/ClaimRegistry.ts', 'indexer/capital.ts', 'abis/FinancingVault.ts', PATCH_FILE])(
    'is another after a change of %s',
    changes,
  )

  it('is the same after a change of the service, which determines no row', async () => {
    const before = name()
    await writeFile(join(root, 'indexer/service/supervise.ts'), '// changed')
    expect(name()).toBe(before)
  })

  it('is another after a change of a file whose name begins like the folder of the service', () =>
    changes('indexer/services.ts'))

  it('is another after a file has another name', async () => {
    await writeFile(join(root, 'indexer/before.ts'), '// the content stays')
    const before = name()
    await rename(join(root, 'indexer/before.ts'), join(root, 'indexer/before-2.ts'))
    expect(name()).not.toBe(before)
  })

  async function changes(file: string): Promise<void> {
    const before = name()
    await writeFile(join(root, file), '// changed')
    expect(name()).not.toBe(before)
  }
})
