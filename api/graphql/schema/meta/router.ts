import { sql } from 'kysely'
import { routers } from '../../../projection/tables/router.ts'
import { asOfArgs } from '../../kit/as-of.ts'
import { builder } from '../../kit/builder.ts'
import { reading } from '../../kit/declared-read.ts'
import { Router } from '../shared/refs.ts'

Router.implement({
  description: 'The router, the contract that executes routes and settlements.',
  fields: (t) => ({
    address: t.expose('id', { type: 'Address', description: 'Address.' }),
    paused: t.exposeBoolean('paused', { description: 'Whether executions are paused.' }),
    changedAt: t.expose('changedAt', {
      type: 'DateTime',
      description: 'Time of the last pause or unpause; before the first, the time of the deployment.',
    }),
    changedBlock: t.expose('changedBlock', {
      type: 'SafeInt',
      description: 'Block number of the last change.',
    }),
  }),
})

builder.queryField('router', (t) =>
  t.field({
    type: Router,
    description: 'The router, the contract that executes routes and settlements.',
    args: asOfArgs,
    ...reading<object>({
      kind: 'row',
      source: routers,
      by: 'id',
      key: (_, __, { router }) => sql`${router}::text`,
    }),
  }),
)
