import { PAGE_LIMIT_MAX } from '../../../domain/limits.ts'
import { validationFailed } from '../../../errors.ts'
import { builder } from '../../kit/builder.ts'
import { reading } from '../../kit/declared-read.ts'
import { decodeGlobalId } from '../../kit/global-id.ts'

/** Cost of the statements for objects of any type. */
const NODES_COST = 200

builder.queryFields((t) => ({
  node: t.field({
    type: builder.nodeInterfaceRef(),
    nullable: true,
    description: 'An object by its global id; null if there is none.',
    args: { id: t.arg.id({ required: true, description: 'A global id of this API.' }) },
    ...reading<{ id: string }>({ kind: 'objects', ids: ({ id }) => decodeGlobalId(id) }),
  }),
  nodes: t.field({
    type: [builder.nodeInterfaceRef()],
    nullable: { list: false, items: true },
    description: 'Objects by their global ids, in the order of `ids`; an entry is null if there is none.',
    args: { ids: t.arg.idList({ required: true, description: 'Global ids of this API, at most 200.' }) },
    complexity: ({ ids }) => ({ field: NODES_COST, multiplier: ids.length }),
    ...reading<{ ids: string[] }>({ kind: 'objects', ids: ({ ids }) => boundedIds(ids).map(decodeGlobalId) }),
  }),
}))

/** @throws CodedError `VALIDATION_FAILED` for more than a page of them */
function boundedIds<Id>(ids: Id[]): Id[] {
  if (ids.length <= PAGE_LIMIT_MAX) return ids
  throw validationFailed([{ path: 'ids', message: `must be at most ${PAGE_LIMIT_MAX}` }])
}
