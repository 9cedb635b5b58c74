/**
 * Reads the shape of a row from the type argument of a read, `db.one<{ id: string; total: number | null }>`, without a
 * type checker: TypeScript 7 has none to call, and a whole program takes minutes of processor.
 */
import type { Field } from '#kit/fields/base/field-kind.ts'
import { fieldKindOf } from '#kit/fields/kinds.ts'
import type { Resource } from '#kit/resource/define-resource.ts'
import { storedFields } from '#kit/server/database/row-sql.ts'

/** A node of the syntax tree, as the parser gives it. */
export type SyntaxNode = { type: string; start: number; end: number; [key: string]: any }

/** `json`: any structure. `any`: the type does not say, or cannot be followed. */
export type ValueKind =
  | 'string'
  | 'number'
  | 'boolean'
  | 'string[]'
  | 'number[]'
  | 'boolean[]'
  | 'json'
  | 'null'
  | 'undefined'
  | 'any'
export type RowShape = ReadonlyMap<string, { kinds: ReadonlySet<ValueKind>; isOptional: boolean }>

export type TypeSource = {
  /** Returns the declaration of a type that a file sees under this name, with its file. */
  declarationOf: (file: string, name: string) => { file: string; node: SyntaxNode } | undefined
  /** Returns the value of a constant that a file sees under this name. */
  valueOf: (file: string, name: string) => unknown
}

/** Where a type stands, with the arguments of the alias around it. */
type Scope = { file: string; args: ReadonlyMap<string, { node: SyntaxNode; scope: Scope }>; depth: number }

const DEPTH_MAX = 12
const KEYWORDS: Readonly<Record<string, ValueKind>> = {
  TSStringKeyword: 'string',
  TSTemplateLiteralType: 'string',
  TSNumberKeyword: 'number',
  TSBooleanKeyword: 'boolean',
  TSNullKeyword: 'null',
  TSUndefinedKeyword: 'undefined',
  TSTypeLiteral: 'json',
  TSTupleType: 'json',
  TSMappedType: 'json',
  TSObjectKeyword: 'json',
}

/** Kinds of a value with this SQL type, as the driver gives it (database/values.ts). */
function kindOfSqlType(type: string): ValueKind {
  const isList = type.endsWith('[]')
  const [name = ''] = type.replace('[]', '').split('(')
  const kind = SQL_KINDS[name.trim()] ?? 'any'
  return isList && kind !== 'any' && kind !== 'json' ? (`${kind}[]` as ValueKind) : kind
}
const SQL_KINDS: Readonly<Record<string, ValueKind>> = {
  text: 'string',
  varchar: 'string',
  'character varying': 'string',
  character: 'string',
  name: 'string',
  uuid: 'string',
  date: 'string',
  timestamptz: 'string',
  'timestamp with time zone': 'string',
  'timestamp without time zone': 'string',
  smallint: 'number',
  integer: 'number',
  int: 'number',
  numeric: 'number',
  'double precision': 'number',
  real: 'number',
  boolean: 'boolean',
  json: 'json',
  jsonb: 'json',
}

const only = (...kinds: ValueKind[]): ReadonlySet<ValueKind> => new Set(kinds)

const BASE_ROW: RowShape = new Map(
  (
    [
      ['id', only('string')],
      ['tenantId', only('string')],
      ['createUser', only('string', 'null')],
      ['createDept', only('string', 'null')],
      ['createTime', only('string')],
      ['updateUser', only('string', 'null')],
      ['updateTime', only('string')],
      ['version', only('number')],
    ] as const
  ).map(([key, kinds]) => [key, { kinds, isOptional: false }]),
)

function rowOfResource(resource: Resource<any, any>): RowShape {
  const stored = new Set(storedFields(resource).map(([key]) => key))
  return new Map([
    ...BASE_ROW,
    ...Object.entries<Field>(resource.fields).map(([key, field]) => {
      const kind = stored.has(key) ? kindOfSqlType(fieldKindOf(field).column(field)) : 'any'
      const nulls: ValueKind[] = field.required === true ? [] : ['null']
      return [key, { kinds: new Set([kind, ...nulls]), isOptional: !stored.has(key) }] as const
    }),
  ])
}

function kindsOfValue(value: unknown): ReadonlySet<ValueKind> {
  if (value === null) return only('null')
  const kind = typeof value
  return only(
    kind === 'string' || kind === 'number' || kind === 'boolean' ? kind : value === undefined ? 'any' : 'json',
  )
}

const bare = (node: SyntaxNode): SyntaxNode =>
  node.type === 'TSParenthesizedType' || node.type === 'TSTypeAnnotation' ? bare(node.typeAnnotation) : node

export function createTypeReader({ declarationOf, valueOf }: TypeSource): {
  /** Returns the shape of a row type; undefined when it cannot be followed. */
  shapeOf: (file: string, node: SyntaxNode) => RowShape | undefined
} {
  const deeper = (scope: Scope): Scope => ({ ...scope, depth: scope.depth + 1 })

  /** Returns the type behind a name: an argument of the alias around it, or a declaration with its own arguments. */
  function followed(node: SyntaxNode, scope: Scope): { node: SyntaxNode; scope: Scope } | undefined {
    const name = node.typeName?.name as string | undefined
    if (!name || scope.depth > DEPTH_MAX) return undefined
    const given = scope.args.get(name)
    if (given) return given
    const declared = declarationOf(scope.file, name)
    if (!declared) return undefined
    const params = (declared.node.typeParameters?.params ?? []) as SyntaxNode[]
    const args = new Map(
      params.flatMap((param, at) => {
        const arg = (node.typeArguments?.params[at] ?? param.default) as SyntaxNode | undefined
        return arg ? [[(param.name?.name ?? param.name) as string, { node: arg, scope }] as const] : []
      }),
    )
    return { node: declared.node, scope: { file: declared.file, args, depth: scope.depth + 1 } }
  }

  const queried = (node: SyntaxNode | undefined, { file }: Scope): unknown =>
    node?.type === 'TSTypeQuery' && node.exprName.type === 'Identifier' ? valueOf(file, node.exprName.name) : undefined

  const textsIn = (value: unknown): string[] | undefined => {
    const texts = value && typeof value === 'object' ? Object.values(value) : []
    return texts.length && texts.every((one) => typeof one === 'string') ? texts : undefined
  }

  /** Returns the keys that a union of text literals names. */
  function keysOf(given: SyntaxNode, scope: Scope): string[] | undefined {
    const node = bare(given)
    if (node.type === 'TSLiteralType') return [String(node.literal.value)]
    if (node.type === 'TSIndexedAccessType') return textsIn(queried(bare(node.objectType), scope))
    if (node.type === 'TSTypeOperator') return Object.keys(queried(bare(node.typeAnnotation), scope) ?? {})
    if (node.type === 'TSTypeReference') {
      const target = followed(node, scope)
      return target && keysOf(target.node.typeAnnotation ?? target.node, target.scope)
    }
    if (node.type !== 'TSUnionType') return undefined
    const parts = (node.types as SyntaxNode[]).map((one) => keysOf(one, scope))
    return parts.every((one) => one !== undefined) ? parts.flat() : undefined
  }

  const asShape = (members: SyntaxNode[], scope: Scope): RowShape =>
    new Map(
      members.flatMap((one) =>
        one.type === 'TSPropertySignature'
          ? [
              [
                String(one.key.name ?? one.key.value),
                {
                  kinds: one.typeAnnotation ? kindsOf(one.typeAnnotation, deeper(scope)) : only('any'),
                  isOptional: Boolean(one.optional),
                },
              ] as const,
            ]
          : [],
      ),
    )

  function merged(nodes: readonly SyntaxNode[], scope: Scope): RowShape | undefined {
    const shapes = nodes.map((one) => shape(one, scope))
    return shapes.every((one) => one !== undefined) ? new Map(shapes.flatMap((one) => [...one])) : undefined
  }

  function shape(given: SyntaxNode, scope: Scope): RowShape | undefined {
    const node = bare(given)
    if (scope.depth > DEPTH_MAX) return undefined
    if (node.type === 'TSTypeLiteral') return asShape(node.members, scope)
    if (node.type === 'TSIntersectionType') return merged(node.types, deeper(scope))
    if (node.type === 'TSTypeAliasDeclaration') return shape(node.typeAnnotation, deeper(scope))
    if (node.type === 'TSInterfaceDeclaration' && !node.extends?.length) return asShape(node.body.body, scope)
    return node.type === 'TSTypeReference' ? shapeOfReference(node, scope) : undefined
  }

  function shapeOfReference(node: SyntaxNode, scope: Scope): RowShape | undefined {
    const [first, second] = (node.typeArguments?.params ?? []) as SyntaxNode[]
    const name = node.typeName.name as string
    const target = followed(node, scope)
    if (name === 'RowOf' && first) {
      const resource = queried(bare(first), scope) as Resource<any, any> | undefined
      return resource?.fields ? rowOfResource(resource) : undefined
    }
    if (target) return shape(target.node, target.scope)
    if (name === 'Record' && first && second) {
      const kinds = kindsOf(second, deeper(scope))
      return new Map(keysOf(first, scope)?.map((key) => [key, { kinds, isOptional: false }]))
    }
    return first && shapeOfUtility(name, first, second, scope)
  }

  /** Returns the shape of `Pick<Row, 'id'>` and its like. */
  function shapeOfUtility(name: string, first: SyntaxNode, second: SyntaxNode | undefined, scope: Scope) {
    const whole = shape(first, deeper(scope))
    if (!whole) return undefined
    if (name === 'Readonly') return whole
    if (name === 'Partial' || name === 'Required')
      return new Map([...whole].map(([key, one]) => [key, { ...one, isOptional: name === 'Partial' }]))
    const keys = second && keysOf(second, scope)
    if (!keys || (name !== 'Pick' && name !== 'Omit')) return undefined
    return new Map([...whole].filter(([key]) => keys.includes(key) === (name === 'Pick')))
  }

  function kindsOf(given: SyntaxNode, scope: Scope): ReadonlySet<ValueKind> {
    const node = bare(given)
    const keyword = KEYWORDS[node.type]
    if (keyword) return only(keyword)
    if (scope.depth > DEPTH_MAX) return only('any')
    switch (node.type) {
      case 'TSLiteralType':
        return kindsOfValue(node.literal.value ?? (node.literal.type === 'TemplateLiteral' ? '' : undefined))
      case 'TSUnionType':
        return new Set((node.types as SyntaxNode[]).flatMap((one) => [...kindsOf(one, deeper(scope))]))
      case 'TSArrayType':
        return listOf(kindsOf(node.elementType, deeper(scope)))
      case 'TSTypeOperator':
        return node.operator === 'keyof' ? only('string') : kindsOf(node.typeAnnotation, deeper(scope))
      case 'TSTypeQuery':
        return kindsOfValue(queried(node, scope))
      case 'TSIndexedAccessType':
        return kindsOfMember(node, scope)
      case 'TSTypeReference':
        return kindsOfReference(node, scope)
      default:
        return only('any')
    }
  }

  function listOf(items: ReadonlySet<ValueKind>): ReadonlySet<ValueKind> {
    const [kind, ...more] = items
    if (more.length || !kind || kind === 'json') return only('json')
    return only(kind === 'string' || kind === 'number' || kind === 'boolean' ? `${kind}[]` : 'any')
  }

  /** Of `Row['state']`, `(typeof LIST)[number]` or `(typeof MAP)[keyof typeof MAP]`. */
  function kindsOfMember({ objectType, indexType }: SyntaxNode, scope: Scope): ReadonlySet<ValueKind> {
    const value = queried(bare(objectType), scope)
    if (value && typeof value === 'object')
      return new Set(Object.values(value).flatMap((one) => [...kindsOfValue(one)]))
    const keys = keysOf(indexType, scope)
    const whole = keys && shape(objectType, deeper(scope))
    return whole ? new Set(keys.flatMap((key) => [...(whole.get(key)?.kinds ?? ['any'])] as ValueKind[])) : only('any')
  }

  function kindsOfReference(node: SyntaxNode, scope: Scope): ReadonlySet<ValueKind> {
    const [first] = (node.typeArguments?.params ?? []) as SyntaxNode[]
    const name = node.typeName.name as string
    const target = followed(node, scope)
    if (target) {
      const { type, typeAnnotation } = target.node
      if (type === 'TSInterfaceDeclaration') return only('json')
      return kindsOf(type === 'TSTypeAliasDeclaration' ? typeAnnotation : target.node, target.scope)
    }
    if (name === 'Record' || name === 'Pick' || name === 'Omit' || name === 'Partial') return only('json')
    if (!first) return only('any')
    if (name === 'Array' || name === 'ReadonlyArray') return listOf(kindsOf(first, deeper(scope)))
    const inner = kindsOf(first, deeper(scope))
    if (name === 'NonNullable') return new Set([...inner].filter((one) => one !== 'null' && one !== 'undefined'))
    return name === 'Extract' || name === 'Exclude' ? inner : only('any')
  }

  return { shapeOf: (file, node) => shape(node, { file, args: new Map(), depth: 0 }) }
}
