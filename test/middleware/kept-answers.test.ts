/** The room for kept answers bounds the memory that they take, however small each of them is. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { createKeptAnswers } from '../../api/http/kept-answers.ts'

const ROOM = 1_000_000
const state = { finalizedThrough: { blockNumber: 1n, timestamp: 1n }, publication: '1' }
const create = () => createKeptAnswers({ latest: () => state }, ROOM)
const headers = { 'Content-Type': 'application/json' }
const keep = (answers: ReturnType<typeof create>, request: string, text: string) =>
  answers.begin(request)({ text, headers }, state)

describe('kept answers', () => {
  it('count what each takes besides its text: of many small ones the last thousand are kept', () => {
    const answers = create()
    const requests = Array.from({ length: 5000 }, (_, index) => `GET /${index}`)
    for (const request of requests) keep(answers, request, '{}')
    const found = requests.filter((request) => answers.find(request))
    expect(found.length).toBeLessThanOrEqual(ROOM / 1000)
    expect(found).toEqual(requests.slice(-found.length))
    expect(found.length).toBeGreaterThan(900)
  })

  it('are found with their headers and the name of their operation, and each request finds its own', () => {
    const answers = create()
    const other = { 'Content-Type': 'text/plain' }
    answers.begin('named')({ text: '{}', headers, operation: 'Named' }, state)
    answers.begin('other')({ text: '[]', headers: other }, state)
    const found = ['named', 'other'].map((request) => answers.find(request))
    expect(
      found.map((answer) => [new TextDecoder().decode(answer?.body), answer?.headers, answer?.operation]),
    ).toEqual([
      ['{}', headers, 'Named'],
      ['[]', other, undefined],
    ])
    expect(answers.counts()).toMatchObject({ hits: 2, misses: 0 })
  })

  it('have memory of their own, and hold no more than their bytes', () => {
    const answers = create()
    keep(answers, 'one', '{"a":"ü"}')
    const body = answers.find('one')?.body
    expect(new TextDecoder().decode(body)).toBe('{"a":"ü"}')
    expect(body?.buffer.byteLength).toBe(body?.byteLength)
  })

  it.each(['x', '中'])(
    'keep no more in memory than they count, of queries with names and the letter %s',
    (letter) => {
      setFlagsFromString('--expose-gc')
      const collectGarbage: () => void = runInNewContext('gc')
      const answers = createKeptAnswers({ latest: () => state }, 100 * ROOM)
      const heap = () => {
        collectGarbage()
        return process.memoryUsage().heapUsed
      }
      const before = heap()
      for (let index = 0; index < 1000; index++) {
        // As strings of their own, like those that were received and parsed.
        const [request, query] = ['POST', 'query'].map((word) =>
          Buffer.from(`${word} NameOfAnOperation { a } # ${index}${letter.repeat(16_000)}`).toString(),
        )
        const operation = query?.slice(6, 23)
        answers.begin(`${request} ${index}`)({ text: '{}', headers, operation }, state)
      }
      expect(heap() - before).toBeLessThan(answers.counts().size)
      expect(answers.counts().size).toBeLessThan(1000 * (2 * 16_000 + 2000))
    },
  )

  it('are at most a sixteenth of the room each, and of a request the last one counts', () => {
    const answers = create()
    keep(answers, 'large', 'x'.repeat(ROOM / 16))
    expect(answers.find('large')).toBeUndefined()
    for (let i = 0; i < 5000; i += 1) keep(answers, 'same', 'x'.repeat(60_000))
    expect(answers.counts().size).toBe('same'.length + 60_000 + 1000)
    keep(answers, 'other', '{}')
    expect(answers.find('same')).toBeDefined()
    expect(answers.find('other')).toBeDefined()
  })

  it('may take exactly a sixteenth of the room, with their request and 1,000 bytes', () => {
    const answers = create()
    const largest = ROOM / 16 - 1000 - 'fits'.length
    keep(answers, 'fits', 'x'.repeat(largest))
    keep(answers, 'over', 'x'.repeat(largest + 1))
    expect([answers.find('fits'), answers.find('over')]).toEqual([expect.anything(), undefined])
    expect(answers.counts()).toEqual({ hits: 1, misses: 1, size: ROOM / 16 })
  })

  it('fill the room to its last byte, and the oldest ones make room for the next', () => {
    const answers = create()
    const requests = Array.from({ length: 20 }, (_, index) => `GET /${String(index).padStart(2, '0')}`)
    const text = 'x'.repeat(ROOM / 20 - 1000 - 'GET /00'.length)
    for (const request of requests) keep(answers, request, text)
    expect(answers.counts().size).toBe(ROOM)
    expect(requests.every((request) => answers.find(request))).toBe(true)
    keep(answers, 'GET /20', text)
    expect(requests.filter((request) => !answers.find(request))).toEqual(['GET /00'])
  })

  it('are of the block and of the index that the projection has: no other answer is kept', () => {
    const answers = create()
    const at = { ...state.finalizedThrough, blockNumber: 0n }
    const text = '{}'
    answers.begin('earlier block')({ text, headers }, { ...state, finalizedThrough: at })
    answers.begin('earlier index')({ text, headers }, { ...state, publication: '0' })
    expect([answers.find('earlier block'), answers.find('earlier index')]).toEqual([undefined, undefined])
  })

  it('are of no state that ended while they were read', () => {
    let present: typeof state | undefined = state
    const answers = createKeptAnswers({ latest: () => present }, ROOM)
    const next = { ...state, finalizedThrough: { ...state.finalizedThrough, blockNumber: 2n } }
    for (const [during, seen] of [
      [next, state],
      [next, next],
      [undefined, state],
    ] as const) {
      present = state
      const finish = answers.begin('read before')
      present = during
      answers.find('another request, at the present state')
      finish({ text: '{}', headers }, seen)
      expect(answers.find('read before')).toBeUndefined()
      present = state
      expect(answers.find('read before')).toBeUndefined()
    }
  })

  it('take no room after the state that they are of', () => {
    let present = state
    const answers = createKeptAnswers({ latest: () => present }, ROOM)
    keep(answers, 'one', '{}')
    expect(answers.counts().size).toBeGreaterThan(1000)
    present = { ...state, publication: '2' }
    expect(answers.find('one')).toBeUndefined()
    expect(answers.counts().size).toBe(0)
  })

  it('are found only by who accepts their block', () => {
    const answers = create()
    keep(answers, 'one', '{}')
    expect([answers.find('one', 1n), answers.find('one', 2n)]).toEqual([expect.anything(), undefined])
  })
})
