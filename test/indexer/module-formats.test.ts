import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { ES_MODULES, resolve } from '../../indexer/service/module-formats.ts'

const MODULES = join(import.meta.dirname, '../../node_modules')
const NODE = { format: 'commonjs', url: 'file:///as-node-resolves-it.js' }
const asNode = () => NODE

/** Whether Node takes a `.js` file as an ES module: by the nearest `package.json`. */
function isEsModule(file: string): boolean {
  let folder = dirname(file)
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder)
  return /"type": *"module"/.test(readFileSync(join(folder, 'package.json'), 'utf8'))
}

function resolved(specifier: string, importer: string) {
  const context = {
    conditions: ['node', 'import'],
    importAttributes: {},
    parentURL: pathToFileURL(importer).href,
  }
  return resolve(specifier, context, asNode)
}

describe('the formats of modules', () => {
  it.each(ES_MODULES)('are those that Node finds for each file of %s', (folder) => {
    const files = globSync('**/*.js', { cwd: join(MODULES, folder) })
    expect(files.length).toBeGreaterThan(100)
    expect(files.filter((file) => !isEsModule(join(MODULES, folder, file)))).toEqual([])
  })

  it('are known without Node for a file that such a module imports', () => {
    const url = pathToFileURL(join(MODULES, 'drizzle-orm/sql/sql.js')).href
    const found = resolved('../sql/sql.js', join(MODULES, 'drizzle-orm/pg-core/table.js'))
    expect(found).toEqual({ url, format: 'module', shortCircuit: true })
  })

  it('are those of Node for all others', () => {
    expect(resolved('./native.js', join(MODULES, 'rollup/dist/es/rollup.js'))).toBe(NODE)
    expect(resolved('./all.cjs', join(MODULES, 'drizzle-orm/index.js'))).toBe(NODE)
    expect(resolved('node:fs', join(MODULES, 'viem/_esm/index.js'))).toBe(NODE)
  })

  it('are found once for a name of drizzle-orm', () => {
    const importers = ['database/index.js', 'runtime/multichain.js'].map((file) =>
      join(MODULES, 'ponder/dist', file),
    )
    // The process keeps it, and other tests of the process import the real names.
    const name = 'drizzle-orm/only-here'
    const [first, second] = importers.map((importer) => resolved(name, importer))
    expect(first).toEqual({ ...NODE, shortCircuit: true })
    expect(second).toBe(first)
  })
})
