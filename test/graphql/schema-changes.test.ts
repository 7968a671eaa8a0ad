import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { printSdl } from '../../api/graphql/schema.ts'
import { describeChange, RELEASED_SCHEMA, schemaChanges, unrecorded } from '../../scripts/schema-changes.ts'

const ROOT = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')

const EARLIER = `
"A claim."
type Claim { id: ID! dueDate: String state(at: Int): State! }
enum State { OPEN CLOSED }
type Query { claim(id: ID!): Claim }`

const describedChanges = async (later: string) => (await schemaChanges(EARLIER, later)).map(describeChange)

describe('changes of the schema', () => {
  it('break no client of the released schema unless the CHANGELOG names what they break', async () => {
    const changes = await schemaChanges(readFileSync(RELEASED_SCHEMA, 'utf8'), printSdl())
    expect(unrecorded(changes, read('CHANGELOG.md')).map(describeChange)).toEqual([])
  })

  it('are named by their place, the breaking ones first', async () => {
    const later = EARLIER.replace('dueDate: String', 'faceValue: String').replace('CLOSED', 'CLOSED PAID')
    expect(await describedChanges(later)).toEqual([
      expect.stringMatching(/^breaking Claim\.dueDate: /),
      expect.stringMatching(/^dangerous State\.PAID: /),
      expect.stringMatching(/^non-breaking Claim\.faceValue: /),
    ])
  })

  it('are none where only words of description or the order changed', async () => {
    expect(await describedChanges(EARLIER.replace('"A claim."', '"A claim on a payment."'))).toEqual([])
    expect(await describedChanges(EARLIER.replace('OPEN CLOSED', 'CLOSED OPEN'))).toEqual([])
  })

  it('are recorded by their place under Unreleased, and nowhere else', async () => {
    const changes = await schemaChanges(EARLIER, EARLIER.replace('dueDate: String', 'due: String'))
    const changelog = (unreleased: string, released: string) =>
      `# Changelog\n\n## [Unreleased]\n\n- ${unreleased}\n\n## [1.0.0] - 2026-01-01\n\n- ${released}\n`
    expect(unrecorded(changes, changelog('Renamed `Claim.dueDate` to `Claim.due`.', 'Began.'))).toEqual([])
    expect(unrecorded(changes, changelog('Renamed `Claim.dueDates`.', 'Had `Claim.dueDate`.'))).toHaveLength(
      1,
    )
  })
})
