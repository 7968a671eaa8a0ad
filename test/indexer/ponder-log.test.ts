import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { ERROR_LEVEL, forEachLine, parseLogLine } from '../../indexer/service/ponder-log.ts'

it('a line of the log has its level and message, and the endpoint and error that it names', () => {
  const line = { level: 30, time: 7, msg: 'Responded', endpoint: '/ready' }
  expect(parseLogLine(JSON.stringify(line))).toEqual({ level: 30, msg: 'Responded', endpoint: '/ready' })
  const failed = { level: 50, error: { message: 'no connection', stack: 'at …' } }
  expect(parseLogLine(JSON.stringify(failed))).toEqual({
    level: ERROR_LEVEL,
    msg: '',
    error: { message: 'no connection' },
  })
})

it.each(['Error: out of memory', '', '{', 'null', '{"msg":"no level"}', '{"level":"high"}'])(
  'a line that is no entry of the log counts as an error, as a whole: %j',
  (line) => {
    expect(parseLogLine(line)).toEqual({ level: ERROR_LEVEL, msg: line })
  },
)

it('lines are whole, however their bytes arrive, and those of all streams are seen', async () => {
  const streams = [['one\ntw', 'o\n', 'end'], ['other\n']].map((chunks) =>
    Readable.from(chunks.map((chunk) => Buffer.from(chunk))),
  )
  const lines: string[] = []
  forEachLine(streams, (line) => lines.push(line))
  await expect.poll(() => lines.toSorted()).toEqual(['end', 'one', 'other', 'two'])
})
