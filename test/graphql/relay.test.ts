/** relay-compiler takes the committed schema, and fragments that page through it, as a Relay app would write them. */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')

const APP = `
import { graphql } from 'relay-runtime'

export const ClaimRow = graphql\`
  fragment App_claimRow on Claim { claimId state remainingFace dueDate beneficiary { address } }
\`

export const OpenClaims = graphql\`
  fragment App_openClaims on Query
  @argumentDefinitions(count: { type: "Int", defaultValue: 20 }, cursor: { type: "String" }, states: { type: "[ClaimState!]" })
  @refetchable(queryName: "AppOpenClaimsPageQuery") {
    claims(first: $count, after: $cursor, filter: { state_in: $states }, orderBy: dueDate, orderDirection: asc)
      @connection(key: "App_openClaims_claims") {
      edges { node { id ...App_claimRow } }
    }
  }
\`

export const VaultAllocations = graphql\`
  fragment App_vaultAllocations on Vault
  @argumentDefinitions(count: { type: "Int", defaultValue: 20 }, cursor: { type: "String" })
  @refetchable(queryName: "AppVaultAllocationsPageQuery") {
    allocations(first: $count, after: $cursor, orderBy: faceAmount) @connection(key: "App_vault_allocations") {
      edges { node { faceAmount claim { ...App_claimRow } } }
    }
  }
\`

export const EarlierActivity = graphql\`
  fragment App_earlierActivity on Account
  @argumentDefinitions(count: { type: "Int", defaultValue: 20 }, cursor: { type: "String" })
  @refetchable(queryName: "AppEarlierActivityPageQuery") {
    activity(last: $count, before: $cursor) @connection(key: "App_account_activity") {
      edges { node { kind amount at } }
    }
  }
\`

export const Page = graphql\`
  query AppPageQuery($vault: Address!, $wallet: Address!, $states: [ClaimState!]) {
    ...App_openClaims @arguments(states: $states)
    vault(address: $vault) { ...App_vaultAllocations }
    account(address: $wallet) { ...App_earlierActivity }
  }
\`
`

let folder: string
let artifacts: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'relay-app-'))
  artifacts = join(folder, 'generated')
  await mkdir(artifacts)
  await mkdir(join(folder, 'src'))
  await writeFile(join(folder, 'src/App.ts'), APP)
  const schema = await readFile(join(ROOT, 'api/graphql/generated/schema.graphql'), 'utf8')
  await writeFile(join(folder, 'schema.graphql'), schema)
  const config = {
    src: './src',
    schema: './schema.graphql',
    artifactDirectory: './generated',
    language: 'typescript',
    customScalarTypes: {
      Address: 'string',
      Hash: 'string',
      Amount: 'string',
      DateTime: 'string',
      SafeInt: 'number',
    },
  }
  await writeFile(join(folder, 'relay.config.json'), JSON.stringify(config))
})
afterAll(() => rm(folder, { recursive: true }))

describe('relay-compiler', () => {
  it('compiles paginated fragments against the committed schema', async () => {
    const compiler = join(ROOT, 'node_modules/.bin/relay-compiler')
    await promisify(execFile)(compiler, ['relay.config.json'], { cwd: folder })
    const compiled = await readdir(artifacts)
    expect(compiled.sort()).toEqual([
      'AppEarlierActivityPageQuery.graphql.ts',
      'AppOpenClaimsPageQuery.graphql.ts',
      'AppPageQuery.graphql.ts',
      'AppVaultAllocationsPageQuery.graphql.ts',
      'App_claimRow.graphql.ts',
      'App_earlierActivity.graphql.ts',
      'App_openClaims.graphql.ts',
      'App_vaultAllocations.graphql.ts',
    ])
    const page = await readFile(join(artifacts, 'AppVaultAllocationsPageQuery.graphql.ts'), 'utf8')
    // Relay refetches a page of an object through its global id.
    expect(page).toContain('node(id: $id)')
    expect(await readFile(join(artifacts, 'App_earlierActivity.graphql.ts'), 'utf8')).toContain(
      '"direction": "backward"',
    )
  })
})
