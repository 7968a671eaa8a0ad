/** Which server a read is answered from. The databases themselves are in test/faults/gateway. */
import { expect, it } from 'vitest'
import { CodedError } from '../../api/errors.ts'
import { createPool, createProjectionDb } from '../../api/projection/session/database.ts'
import { connectPipeline } from '../../api/projection/session/pipeline.ts'
import {
  createReadServers,
  REPLICA_BEHIND,
  type ReadServer,
} from '../../api/projection/session/read-servers.ts'

const NOWHERE = 'postgres://nobody@127.0.0.1:1/none'

const server = (): ReadServer => ({
  db: createProjectionDb(createPool(NOWHERE, 1)),
  pipeline: connectPipeline(NOWHERE, 1000),
  cancel: async () => {},
})
const names = ['first', 'second', 'third'] as const

function create(errors: Partial<Record<(typeof names)[number] | 'primary', unknown>> = {}) {
  const [primary, ...replicas] = [server(), server(), server(), server()]
  const reported: number[] = []
  const servers = createReadServers(primary, replicas, (replica) => void reported.push(replica))
  const asked: string[] = []
  const nameOf = (one: ReadServer) => names[replicas.indexOf(one)] ?? 'primary'
  const read = () =>
    servers.read(async (one) => {
      const name = nameOf(one)
      asked.push(name)
      if (errors[name] !== undefined) throw errors[name]
      return name
    })
  return { read, asked, reported }
}

const GONE = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })

it('is each replica in turn', async () => {
  const { read } = create()
  expect(await Promise.all([read(), read(), read(), read()])).toEqual(['second', 'third', 'first', 'second'])
})

it('is another one where a replica does not answer, which is then left out for a while', async () => {
  const { read, asked, reported } = create({ second: GONE })
  expect(await read()).toBe('third')
  expect(asked).toEqual(['second', 'third'])
  for (let i = 0; i < 9; i++) await read()
  expect(asked.filter((name) => name === 'second')).toHaveLength(1)
  expect(reported).toEqual([1])
})

it.each([
  ['is behind', REPLICA_BEHIND],
  ['has no index yet', new CodedError('NOT_READY', '')],
  ['replays a change', Object.assign(new Error('conflict'), { code: '40001' })],
])('is the primary where each replica %s, and all of them are asked the next time', async (_, error) => {
  const { read, asked, reported } = create({ first: error, second: error, third: error })
  expect([await read(), await read()]).toEqual(['primary', 'primary'])
  expect(asked).toHaveLength(8)
  expect(reported).toEqual([])
})

it.each([
  ['fails', new Error('division by zero')],
  ['takes too long', Object.assign(new Error('canceled'), { code: '57014' })],
])('is no other one where the read itself %s, so that one read costs one server', async (_, failure) => {
  const { read, asked, reported } = create({ second: failure })
  await expect(read()).rejects.toBe(failure)
  expect([asked, reported]).toEqual([['second'], []])
})

it('is the primary last, whose error counts', async () => {
  const last = create({ first: GONE, second: GONE, third: GONE, primary: GONE })
  await expect(last.read()).rejects.toBe(GONE)
})
