import { builder } from '../../kit/builder.ts'
import { reading } from '../../kit/declared-read.ts'
import { Account } from '../shared/refs.ts'

builder.queryField('viewer', (t) =>
  t.field({
    type: Account,
    nullable: true,
    description:
      'The account of the signed-in wallet (`Authorization: Bearer <token>`). Without a valid token, the operation fails with `UNAUTHENTICATED`.',
    ...reading({ kind: 'account', address: (_, __, { caller }) => caller() }),
  }),
)
