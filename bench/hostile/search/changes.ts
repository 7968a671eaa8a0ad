/** Changes of an operation, each to a copy. */
import { argumentsOf, chance, type Draw, isPaging, pick } from './arguments.ts'
import { drawField, drawOperation, fieldsOf, leavesOf, objectsIn, ROOT, type Selected } from './operation.ts'

/** @param other an operation to take parts from */
type Change = (draw: Draw, operation: Selected, other: Selected) => Selected

const DEPTH = 2

/** Changes an operation once or several times. */
export function change(draw: Draw, operation: Selected, other: Selected): Selected {
  const changed = pick(draw, CHANGES)(draw, structuredClone(operation), other)
  return chance(draw, 0.4) ? change(draw, changed, other) : changed
}

const add: Change = (draw, operation) => {
  const { type = '', fields } = pick(draw, objectsIn(operation))
  fields.push(drawField(draw, type, DEPTH))
  return operation
}

const addScalars: Change = (draw, operation) => {
  const parent = pick(draw, objectsIn(operation))
  const { type = '', fields } = parent
  if (parent === operation) return operation
  for (const { name, args } of leavesOf(draw.schema, type)) {
    if (name !== 'totalCount' && args.length === 0 && !fields.some((field) => field.name === name)) {
      fields.push({ name, args: {}, type: undefined, fields: [] })
    }
  }
  return operation
}

const drop: Change = (draw, operation) => {
  const { fields } = pick(draw, objectsIn(operation))
  if (fields.length > 1) fields.splice(Math.floor(draw.random() * fields.length), 1)
  return operation
}

/** Draws one argument of a field again, or drops it. */
const changeArgument: Change = (draw, operation) => {
  const [parent, own] = fieldWithArguments(draw, operation) ?? []
  const field = fieldsOf(draw.schema, parent?.type ?? '').find(({ name }) => name === own?.name)
  if (!field || !own) return operation
  const drawn = argumentsOf(draw, field.args)
  const name = pick(draw, [...Object.keys(drawn), ...Object.keys(own.args)])
  const isChanged = (one: string) => one === name || (isPaging(one) && isPaging(name))
  const kept = Object.entries(own.args).filter(([one]) => !isChanged(one))
  own.args = Object.fromEntries([...kept, ...Object.entries(drawn).filter(([one]) => isChanged(one))])
  return operation
}

function fieldWithArguments(draw: Draw, operation: Selected): [Selected, Selected] | undefined {
  const all = objectsIn(operation).flatMap((parent) =>
    parent.fields
      .filter(({ args }) => Object.keys(args).length > 0)
      .map((own): [Selected, Selected] => [parent, own]),
  )
  return all.length > 0 ? pick(draw, all) : undefined
}

/** Selects a field once more, under an alias. */
const repeat: Change = (draw, operation) => {
  const { fields } = pick(draw, objectsIn(operation))
  const objects = fields.filter(({ type }) => type !== undefined)
  if (objects.length > 0) fields.push(structuredClone(pick(draw, objects)))
  return operation
}

/** Puts a selection of the operation into the other one, where it has an object of its type: wraps and combines. */
const graft: Change = (draw, operation, other) => {
  const into = structuredClone(other)
  const pairs = objectsIn(operation).flatMap((from) =>
    objectsIn(into)
      .filter(({ type }) => type === from.type && type !== ROOT)
      .map((to) => ({ from, to })),
  )
  if (pairs.length === 0) return operation
  const { from, to } = pick(draw, pairs)
  to.fields.push(...structuredClone(from.fields))
  return into
}

const wrap: Change = (draw, operation) => graft(draw, operation, drawOperation(draw))

const CHANGES: readonly Change[] = [
  ...[add, add, addScalars, drop, drop, drop, repeat, graft, wrap],
  ...[changeArgument, changeArgument, changeArgument, changeArgument],
]
