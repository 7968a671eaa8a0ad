import { z } from '@hono/zod-openapi'
import { addressInput } from '../../domain/address.ts'
import { STATEMENT_SUBJECTS } from '../../domain/statement.ts'
import { DAY_OR_TIME, MUST_BE_DAY_OR_TIME, UTC } from '../../domain/statement-period.ts'
import { TIME_LENGTH_MAX } from '../../domain/time.ts'
import { defineRoute } from '../shared/define-route.ts'
import { problems, readProblems } from '../shared/problems.ts'
import { statement, statementFile } from './document.ts'
import { formats, isFormat, STATEMENT_FORMATS } from './formats.ts'

const FILE = /^0x[0-9a-fA-F]{40}\.[a-z]+$/

/** An address and a format. */
const file = z
  .string()
  .transform((text, context) => {
    const [name = '', extension = ''] = text.split('.')
    const address = addressInput.safeParse(name)
    if (!FILE.test(text) || !address.success || !isFormat(extension)) {
      const message = `must be an address, a dot and one of ${STATEMENT_FORMATS.join(', ')}`
      context.addIssue({ code: 'custom', message: address.error?.issues[0]?.message ?? message })
      return z.NEVER
    }
    return { address: address.data, extension }
  })
  .openapi({
    type: 'string',
    pattern: `^0x[0-9a-fA-F]{40}\\.(${STATEMENT_FORMATS.join('|')})$`,
    maxLength: 50,
    description: 'Address of the wallet, the vault or the issuer, a dot, and the format.',
    example: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8.csv',
  })

const bound = (description: string, example: string) =>
  z
    .string({ error: 'must be given once, as a day or a time' })
    .regex(DAY_OR_TIME, MUST_BE_DAY_OR_TIME)
    .max(TIME_LENGTH_MAX)
    .openapi({ description, example })

export const readStatement = defineRoute(
  { access: 'public', limit: 'default', minBlock: 'projection' },
  {
    method: 'get',
    path: '/statements/{subject}/{file}',
    tags: ['Statements'],
    operationId: 'readStatement',
    summary: 'Statement of a period',
    description:
      'Opening balances, every entry in the order of the chain with the balance after it, and closing balances, at the finalized block. `opening + increases - decreases = closing` to the base unit. Formats: JSON, CSV, ISO 20022 camt.053.001.13 (`xml`), a plain-text journal for hledger (`journal`), and a page to print (`html`).',
    request: {
      params: z.strictObject({
        subject: z.enum(STATEMENT_SUBJECTS).openapi({ description: 'What the address is.' }),
        file,
      }),
      query: z.strictObject({
        from: bound('Start: a day, from its first second, or a time.', '2026-01-01'),
        to: bound('End: a day, to its last second, or a time, before which the period ends.', '2026-01-31'),
        zone: z
          .string()
          .max(TIME_LENGTH_MAX)
          .default(UTC)
          .openapi({ description: 'Time zone of the days (IANA).', example: 'Europe/Berlin' }),
      }),
    },
    responses: {
      200: {
        description: 'The statement in the format of the file.',
        content: Object.fromEntries(
          Object.values(formats).map(({ mediaType }) => [
            mediaType.split(';')[0] ?? mediaType,
            { schema: mediaType === formats.json.mediaType ? statement : statementFile },
          ]),
        ),
        headers: {
          'Content-Disposition': { $ref: '#/components/headers/Content-Disposition' },
          'X-Finalized-Through': { $ref: '#/components/headers/X-Finalized-Through' },
        },
      },
      ...problems(
        ...readProblems,
        'VAULT_NOT_FOUND',
        'ISSUER_NOT_FOUND',
        'STATEMENT_TOO_LONG',
        'RATE_LIMITED',
        'TOO_MANY_EXPORTS',
        'EXPORTS_BUSY',
      ),
    },
  },
)
