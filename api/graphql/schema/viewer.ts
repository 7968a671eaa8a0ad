import { builder } from '../builder.ts'
import { Account } from './refs.ts'

builder.queryField('viewer', (t) =>
  t.field({
    type: Account,
    nullable: true,
    description:
      'The account of the signed-in wallet (`Authorization: Bearer <token>`). Null with the error `UNAUTHENTICATED` without a valid token; the other fields are answered.',
    resolve: (_root, _args, { wallet }) => ({ address: wallet() }),
  }),
)
