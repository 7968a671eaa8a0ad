/** Settings of the auditor. */
import { z } from 'zod'
import { text, wholeNumber } from './formats.ts'
import { setting } from './setting.ts'
import { shared } from './shared.ts'

export const auditorGroup = {
  DATABASE_TIMEOUT_MS: setting(
    wholeNumber(100, 3_600_000).default(60_000),
    'Time for a connection to Postgres, and for one statement.',
    { unit: 'milliseconds' },
  ),
  RPC_TIMEOUT_MS: setting(
    wholeNumber(100, 600_000).default(10_000),
    'Time that one node has for one request.',
    { unit: 'milliseconds' },
  ),
  AUDIT_INTERVAL_MS: setting(wholeNumber(100, 3_600_000).default(5000), 'Time between two rounds.', {
    unit: 'milliseconds',
  }),
  AUDIT_SAMPLE_ROWS: setting(wholeNumber(0, 10_000).default(50), 'Random rows in each round.', {
    unit: 'rows',
  }),
  AUDIT_SEED: setting(
    wholeNumber(0, 4_294_967_295).optional(),
    'Selects the random rows. The log states it.',
    { byDefault: 'from the time of the start' },
  ),
  AUDIT_METRICS_HOST: setting(text.default('127.0.0.1'), 'Address of `/metrics`, never a public one.'),
  AUDIT_METRICS_PORT: setting(
    wholeNumber(0, 65_535).default(9464),
    'Port of `/metrics`. 0 takes any free port.',
  ),
}

export const auditorSettings = z.object({ ...shared, ...auditorGroup })

export type AuditorSettings = z.output<typeof auditorSettings>
