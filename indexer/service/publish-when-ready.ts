import type { Logger } from 'pino'
import type { PonderProcess } from './ponder-process.ts'
import { type Publication, type PublicationOptions, publish } from './publish.ts'
import type { Version } from './version.ts'

/**
 * Publishes the version once Ponder has indexed all final blocks. A run that cannot be published ends, and the
 * supervisor starts the next one.
 */
export function publishWhenReady(
  ponder: PonderProcess,
  options: Pick<PublicationOptions, 'databaseUrl' | 'republish' | 'verify'>,
  version: Version,
  log: Logger,
): Promise<Publication> {
  const exit = new AbortController()
  void ponder.exited.then(() => exit.abort(new Error('the indexer exited before it was published')))
  const onBehind = () =>
    log.warn({ alarm: 'BEHIND', schema: version.schema }, 'the published version is ahead; catching up')
  const published = ponder.ready
    .then(() => publish({ ...options, version, onBehind, signal: exit.signal }))
    .then((outcome) => reportPublication(outcome, version, log))
  published.catch((err) => {
    if (exit.signal.aborted) return
    log.error({ alarm: 'NOT_PUBLISHED', schema: version.schema, err }, 'the version could not be published')
    ponder.end('SIGINT')
  })
  return published
}

function reportPublication(outcome: Publication, { schema }: Version, log: Logger): Publication {
  if (outcome === 'PUBLISHED') log.info({ schema }, 'reads are served from this version')
  else log.error({ alarm: 'SUPERSEDED', schema }, 'a later version was published; no reader sees this one')
  return outcome
}
