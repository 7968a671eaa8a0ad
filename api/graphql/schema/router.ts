import { readRouter } from '../../projection/router.ts'
import { builder } from '../builder.ts'
import { Router } from './refs.ts'

Router.implement({
  description: 'The router, the contract that executes routes and settlements.',
  fields: (t) => ({
    address: t.expose('id', { type: 'Address', description: 'Address.' }),
    paused: t.exposeBoolean('paused', { description: 'Whether executions are paused.' }),
    changedAt: t.expose('changedAt', {
      type: 'DateTime',
      description: 'Time of the last pause or unpause; of the deployment where there was none.',
    }),
    changedBlock: t.expose('changedBlock', { type: 'SafeInt', description: 'Block number of that change.' }),
  }),
})

builder.queryField('router', (t) =>
  t.field({
    type: Router,
    description: 'The router, the contract that executes routes and settlements.',
    resolve: (_root, _args, { operation, router }) =>
      operation.read((snapshot) => readRouter(snapshot, router)),
  }),
)
