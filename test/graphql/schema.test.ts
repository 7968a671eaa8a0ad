import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
} from 'graphql'
import { describe, expect, it } from 'vitest'
import { printSdl, schema } from '../../api/graphql/schema.ts'

type Described = { description?: string | null | undefined }

type Field = GraphQLField<unknown, unknown> | GraphQLInputField

function describedIn(type: string, field: Field): [string, Described][] {
  const coordinate = `${type}.${field.name}`
  const args: readonly GraphQLArgument[] = 'args' in field ? field.args : []
  return [
    [coordinate, field],
    ...args.map((arg): [string, Described] => [`${coordinate}(${arg.name}:)`, arg]),
  ]
}

/** Everything that a reader of the schema meets, by its coordinate. */
function described(): [coordinate: string, described: Described][] {
  return Object.values(schema.getTypeMap())
    .filter((type) => !type.name.startsWith('__'))
    .flatMap((type): [string, Described][] => {
      const own: [string, Described] = [type.name, type]
      if (isEnumType(type)) {
        return [
          own,
          ...type.getValues().map((value): [string, Described] => [`${type.name}.${value.name}`, value]),
        ]
      }
      if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) return [own]
      const fields: readonly Field[] = Object.values(type.getFields())
      return [own, ...fields.flatMap((field) => describedIn(type.name, field))]
    })
}

describe('the schema', () => {
  it('describes every type, field, argument and value', () => {
    const all = described()
    expect(all.length).toBeGreaterThan(500)
    expect(all.filter(([, { description }]) => !description).map(([coordinate]) => coordinate)).toEqual([])
  })

  it('is the one that is published, with the default of each argument', () => {
    const published = join(import.meta.dirname, '../../api/graphql/generated/schema.graphql')
    expect(printSdl()).toBe(readFileSync(published, 'utf8'))
  })

  it('has connections in the shape that Relay asks for', () => {
    const connections = Object.values(schema.getTypeMap()).filter((type) => type.name.endsWith('Connection'))
    expect(connections.length).toBeGreaterThan(8)
    for (const connection of connections) {
      if (!isObjectType(connection)) throw new Error(`${connection.name} is no object`)
      const { edges, pageInfo } = connection.getFields()
      const edge = schema.getType(connection.name.replace(/Connection$/, 'Edge'))
      if (!isObjectType(edge)) throw new Error(`${connection.name} has no edge of its name`)
      expect([String(edges?.type), String(pageInfo?.type)]).toEqual([`[${edge.name}!]!`, 'PageInfo!'])
      expect(String(edge.getFields().cursor?.type)).toBe('String!')
    }
    const node = schema.getType('Node')
    if (!isInterfaceType(node)) throw new Error('there is no interface Node')
    expect(
      schema
        .getPossibleTypes(node)
        .map(({ name }) => name)
        .sort(),
    ).toEqual([
      'Account',
      'Activity',
      'Allocation',
      'CapitalChange',
      'Claim',
      'Execution',
      'ExecutionLeg',
      'Issuer',
      'IssuerDay',
      'PaymentRecord',
      'PositionChange',
      'Router',
      'Settlement',
      'Token',
      'TokenDay',
      'Vault',
      'VaultDay',
      'VaultPosition',
      'VaultTerms',
    ])
  })
})
