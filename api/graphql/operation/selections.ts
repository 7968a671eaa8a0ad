/** The fields that a selection set selects, through its fragments. */
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type SelectionSetNode,
} from 'graphql'

export type Fragments = ReadonlyMap<string, FragmentDefinitionNode>

export function fragmentsOf({ definitions }: DocumentNode): Fragments {
  const fragments = definitions.filter((node) => node.kind === Kind.FRAGMENT_DEFINITION)
  return new Map(fragments.map((fragment) => [fragment.name.value, fragment]))
}

/** Collects the fields as execution does: each named fragment once. `@skip` and `@include` are not regarded. */
export function fieldsOf(selectionSet: SelectionSetNode, fragments: Fragments): FieldNode[] {
  const spread = new Set<string>()
  const collect = ({ selections }: SelectionSetNode): FieldNode[] =>
    selections.flatMap((selection) => {
      if (selection.kind === Kind.FIELD) return [selection]
      if (selection.kind === Kind.INLINE_FRAGMENT) return collect(selection.selectionSet)
      const name = selection.name.value
      const fragment = fragments.get(name)
      if (!fragment || spread.has(name)) return []
      spread.add(name)
      return collect(fragment.selectionSet)
    })
  return collect(selectionSet)
}

/** Whether a field of the selection set may be left out by `@skip` or `@include`. */
export function hasConditions(selectionSet: SelectionSetNode, fragments: Fragments): boolean {
  const spread = new Set<string>()
  const isConditional = ({ selections }: SelectionSetNode): boolean =>
    selections.some((selection) => {
      if (selection.directives?.some(({ name }) => name.value === 'skip' || name.value === 'include'))
        return true
      if (selection.kind === Kind.FIELD) return false
      if (selection.kind === Kind.INLINE_FRAGMENT) return isConditional(selection.selectionSet)
      const fragment = fragments.get(selection.name.value)
      if (!fragment || spread.has(selection.name.value)) return false
      spread.add(selection.name.value)
      return isConditional(fragment.selectionSet)
    })
  return isConditional(selectionSet)
}

/** Returns the name under which a field is answered: fields of one name are executed once. */
export function responseName({ alias, name }: FieldNode): string {
  return (alias ?? name).value
}
