/** An empty Vite project with React and TypeScript, as its users make it, with the packed packages installed. */
import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'

const ROOT = join(import.meta.dirname, '../..')
const PACKAGES = ['client', 'react']
/** Versions with which the project is known to work; the template has its own of React, Vite and TypeScript. */
const CREATE_VITE = 'vite@9.3.0'
const CODE_GENERATOR = [
  '@graphql-codegen/cli@7.4.3',
  '@graphql-codegen/client-preset@6.2.0',
  'graphql@16.15.0',
  'gql.tada@1.11.3',
]
/** Libraries with sign-in dialogs, for which the React package has adapters. */
const SIGN_IN_KITS = ['@rainbow-me/rainbowkit@2.2.11', 'wagmi@2.19.5', '@reown/appkit-siwe@1.8.23']
/** The kits need wagmi 2; a page that has no kit takes its successor. */
const WAGMI_3 = 'wagmi-3@npm:wagmi@3.7.7'
const PEERS = ['viem@2.57.1', '@tanstack/react-query@5.108.0']

export type Packed = { name: string; filename: string; files: readonly string[] }

const packedShape = z.array(
  z.object({ name: z.string(), filename: z.string(), files: z.array(z.object({ path: z.string() })) }),
)

/** Builds and packs both packages into the folder. */
export async function packAll(folder: string): Promise<Packed[]> {
  const args = ['pack', '--workspaces', '--json', '--pack-destination', folder]
  const output = await npm(ROOT, ...args)
  // Output of the build stands before the JSON.
  const packed = packedShape.parse(JSON.parse(output.slice(output.search(/^\[$/m))))
  return packed.map(({ files, ...rest }) => ({ ...rest, files: files.map(({ path }) => path) }))
}

/**
 * `npm create vite`, the packages with their peers, and libraries of the READMEs' samples. @returns the folder of the
 * project
 */
export async function createProject(folder: string, packed: readonly Packed[]): Promise<string> {
  await npm(folder, 'create', '-y', CREATE_VITE, 'app', '--', '--template', 'react-ts', '--no-interactive')
  const project = join(folder, 'app')
  const tarballs = packed.map(({ filename }) => join(folder, filename))
  await npm(project, 'install', '--no-audit', '--no-fund', ...tarballs, ...PEERS)
  // Their scripts compile optional parts for Node.
  await npm(project, 'install', '--no-audit', '--no-fund', '--ignore-scripts', ...SIGN_IN_KITS, WAGMI_3)
  return project
}

/**
 * Installs the client beside a version of TypeScript, and compiles a program.
 *
 * @returns warnings of the installation, and what the compiler found
 */
export async function compileBeside(
  folder: string,
  packed: readonly Packed[],
  { compiler, program }: { compiler: string; program: string },
) {
  const project = join(folder, compiler)
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), '{ "name": "site", "private": true, "type": "module" }')
  writeFileSync(join(project, 'program.ts'), program)
  const client = packed
    .filter(({ name }) => name.endsWith('client'))
    .map(({ filename }) => join(folder, filename))
  const run = (command: string, ...args: string[]) => promisify(execFile)(command, args, { cwd: project })
  const options = ['--no-audit', '--no-fund', compiler, 'viem@2.57.1']
  const { stderr: warnings } = await run('npm', 'install', ...options, ...client)
  const strict = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023']
  const found = await run('npx', 'tsc', ...strict, 'program.ts').catch(({ stdout }) => ({ stdout }))
  return { warnings, found: found.stdout }
}

const NEXT = [
  'next@16.4.6',
  'react@19.3.1',
  'react-dom@19.3.1',
  'typescript@5.9.3',
  '@types/react@19.3.0',
  '@types/node@24',
]

/** A Next.js project with the samples of the React package that are for one. @returns its folder */
export async function createNextProject(folder: string, packed: readonly Packed[], gatewayUrl: string) {
  const project = join(folder, 'next')
  mkdirSync(join(project, 'app'), { recursive: true })
  writeFileSync(join(project, 'package.json'), '{ "name": "site", "private": true, "type": "module" }')
  const tarballs = packed.map(({ filename }) => join(folder, filename))
  await npm(project, 'install', '--no-audit', '--no-fund', ...tarballs, ...PEERS, ...NEXT)
  for (const { file, code } of samplesOf('react').filter((sample) => sample.file.startsWith('app/')))
    writeFileSync(join(project, file), code.replaceAll('http://127.0.0.1:4000', gatewayUrl))
  return project
}

/**
 * Writes every sample of the packages' READMEs into the project: one that names its file under that name, the others
 * beside each other.
 *
 * @returns the files, relative to `src`
 */
export function writeSamples(project: string, gatewayUrl: string): string[] {
  return PACKAGES.flatMap((name) => samplesOf(name)).map(({ file, code }) => {
    mkdirSync(dirname(join(project, 'src', file)), { recursive: true })
    writeFileSync(join(project, 'src', file), code.replaceAll('http://127.0.0.1:4000', gatewayUrl))
    return file
  })
}

const readmeOf = (name: string) => readFileSync(join(ROOT, 'packages', name, 'README.md'), 'utf8')

function samplesOf(name: string): { file: string; code: string }[] {
  const blocks = [...readmeOf(name).matchAll(/^```(tsx?)(?: (\S+))?\n([\s\S]*?)^```$/gm)]
  return blocks.map(([, extension, file, code = ''], index) => ({
    file: file ?? `samples/${name}-${index}.${extension}`,
    code,
  }))
}

/**
 * Runs GraphQL Code Generator with the scalars of the client on a file of the project, which imports what it writes to
 * `src/gql`.
 */
export async function generateCode(project: string, gatewayUrl: string, code: string): Promise<void> {
  // The sample of the README, so that what readers copy compiles.
  const [, options = ''] = /^export const config = (.*)$/m.exec(readmeOf('client')) ?? []
  const config = `import { codegenScalars } from 'claim-financing-client'
export default {
  schema: '${gatewayUrl}/api/v1/graphql',
  documents: 'src/codegen/*.ts',
  generates: {
    'src/gql/': {
      preset: 'client',
      config: ${options},
    },
  },
}
`
  mkdirSync(join(project, 'src/codegen'))
  writeFileSync(join(project, 'codegen.ts'), config)
  writeFileSync(join(project, 'src/codegen/scalars.ts'), code)
  await npm(project, 'install', '--no-audit', '--no-fund', '--save-dev', ...CODE_GENERATOR)
  await npm(project, 'exec', '--', 'graphql-codegen')
}

/** Installs the check of documents as the README has it. */
export async function installCheck(project: string, gatewayUrl: string): Promise<void> {
  const [, settings = ''] = /^```json\n([\s\S]*?)^```$/m.exec(readmeOf('client')) ?? []
  const [, packages = ''] = /^npm (install --prefix .*)$/m.exec(readmeOf('client')) ?? []
  mkdirSync(join(project, 'documents'))
  // Without the other code of the project.
  const own = settings.replaceAll('http://127.0.0.1:4000', gatewayUrl).replace('"src"', '"documents"')
  writeFileSync(join(project, 'tsconfig.graphql.json'), own)
  await npm(project, ...packages.split(' '), '--no-audit', '--no-fund')
}

/** Checks a file with documents. @returns what the check printed, and whether it passed */
export function checkDocuments(project: string, code: string): Promise<{ passes: boolean; output: string }> {
  const [, program = '', options = ''] = /^(\.graphql\S+) (check .*)$/m.exec(readmeOf('client')) ?? []
  writeFileSync(join(project, 'documents/documents.ts'), code)
  return new Promise((resolve) => {
    execFile(join(project, program), options.split(' '), { cwd: project }, (error, stdout, stderr) =>
      resolve({ passes: error === null, output: stdout + stderr }),
    )
  })
}

/** Runs a file of the project in Node. @returns the lines that it printed */
export async function runProgram(project: string, file: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [file], { cwd: project })
  return stdout.trimEnd().split('\n')
}

/** @returns what npm printed @throws Error with it when npm fails */
export async function npm(cwd: string, ...args: string[]): Promise<string> {
  const failed = (error: { stdout?: string; stderr?: string }) => {
    throw new Error(`npm ${args.join(' ')}\n${error.stdout ?? ''}\n${error.stderr ?? ''}`)
  }
  const { stdout } = await promisify(execFile)('npm', args, { cwd, maxBuffer: 2 ** 26 }).catch(failed)
  return stdout
}
