import { builder } from '../builder.ts'
import { Account } from './refs.ts'

builder.queryField('viewer', (t) =>
  t.field({
    type: Account,
    nullable: true,
    description:
      'The account of the wallet whose token the request carries (`Authorization: Bearer <token>`). Without a good token it is null, with the error `UNAUTHENTICATED`; the rest of the operation is answered.',
    resolve: (_root, _args, { wallet }) => ({ address: wallet() }),
  }),
)
