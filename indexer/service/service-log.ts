import { type Logger, pino } from 'pino'

/** Log lines of the service, in the format of Ponder's log lines. */
export function serviceLog(onLog: (line: string) => void = () => {}): Logger {
  return pino({ base: { name: 'indexer' } }, { write: (text) => onLog(text.trimEnd()) })
}
