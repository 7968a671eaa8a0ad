import { type Logger, pino } from 'pino'

/** Log lines of the service, beside those of Ponder, in the same form. */
export function serviceLog(onLog: (line: string) => void = () => {}): Logger {
  return pino({ base: { name: 'indexer' } }, { write: (text) => onLog(text.trimEnd()) })
}
