import { readRouter } from '../../projection/router.ts'
import { builder } from '../builder.ts'
import { Router } from './refs.ts'

Router.implement({
  description: 'The contract that executes routes and settlements.',
  fields: (t) => ({
    address: t.expose('id', { type: 'Address', description: 'Its address.' }),
    paused: t.exposeBoolean('paused', { description: 'Whether it refuses every execution for now.' }),
    changedAt: t.expose('changedAt', {
      type: 'DateTime',
      description: 'When it was last paused or unpaused; its deployment if never.',
    }),
    changedBlock: t.expose('changedBlock', { type: 'SafeInt', description: 'The block of that.' }),
  }),
})

builder.queryField('router', (t) =>
  t.field({
    type: Router,
    description: 'The contract that executes routes and settlements.',
    resolve: (_root, _args, { operation, router }) =>
      operation.read((snapshot) => readRouter(snapshot, router)),
  }),
)
