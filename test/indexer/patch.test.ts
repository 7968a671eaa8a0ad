import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { checkPatch, PATCH_FILE } from '../../indexer/service/patch.ts'

const PROJECT = join(import.meta.dirname, '../..')
const PONDER = 'node_modules/ponder'
const PATCHED = [...(await readFile(join(PROJECT, PATCH_FILE), 'utf8')).matchAll(/^\+\+\+ b\/(.+)$/gm)].map(
  ([, file = '']) => file,
)

describe('the check of the installed Ponder', () => {
  let root: string
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'claim-financing-patch-'))
    for (const file of [PATCH_FILE, `${PONDER}/package.json`, ...PATCHED]) {
      await mkdir(dirname(join(root, file)), { recursive: true })
      await cp(join(PROJECT, file), join(root, file))
    }
  })
  afterEach(() => rm(root, { recursive: true, force: true }))

  it('accepts what npm installed here', () => {
    expect(() => checkPatch(PROJECT)).not.toThrow()
    expect(() => checkPatch(root)).not.toThrow()
  })

  it.each(PATCHED)(
    'refuses %s without one line of the patch, and with one that the patch removes',
    async (file) => {
      const patch = await readFile(join(root, PATCH_FILE), 'utf8')
      const part = patch.slice(patch.indexOf(`+++ b/${file}`)).split(/^diff --git /m)[0] ?? ''
      const refused = `${file} is not as ${PATCH_FILE} leaves it.`
      const [, added = ''] = /^\+(?!\+\+ )(.*)$/m.exec(part) ?? []
      const whole = await readFile(join(root, file), 'utf8')
      await writeFile(join(root, file), whole.replace(`${added}\n`, ''))
      expect(() => checkPatch(root)).toThrow(refused)

      const [, before = '', removed] = /^ (.*)\n-(?!--)(.*)$/m.exec(part) ?? []
      await writeFile(join(root, file), whole.replace(`${before}\n`, `${before}\n${removed}\n`))
      expect(() => checkPatch(root)).toThrow(refused)
    },
  )

  it('refuses another version of Ponder, to which the patch was not ported', async () => {
    await writeFile(join(root, PONDER, 'package.json'), '{ "version": "0.17.8" }')
    expect(() => checkPatch(root)).toThrow('Ponder 0.17.8 is installed; the patch is for 0.17.7.')
  })
})
