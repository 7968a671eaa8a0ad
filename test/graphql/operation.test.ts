/** The state of one GraphQL operation. */
import { expect, it } from 'vitest'
import { startOperation } from '../../api/graphql/context.ts'

it('opens no snapshot for a field that reads after the end: nothing would close it', async () => {
  let opened = 0
  const operation = startOperation(async () => {
    opened += 1
    throw new Error('the database is away')
  })
  await operation.close()
  await expect(operation.read(async () => 'rows')).rejects.toThrow('the operation has ended')
  await expect(operation.finalizedThrough()).rejects.toThrow('the operation has ended')
  expect(opened).toBe(0)
})
