import { fieldEntries, type Field, type Fields } from '../fields/base/field-kind.ts'
import { fieldKindOf, hasValueLabel } from '../fields/kinds.ts'
import { valueLabelKeyOf, type Resource } from './define-resource.ts'
import {
  arraySchema,
  constSchema,
  integerSchema,
  numberSchema,
  objectSchema,
  rowIdSchema,
  textSchema,
  type ResponseSchema,
} from './response-schema.ts'
import type { WireRow } from './wire-row.ts'

/**
 * Schema of a field's value as clients receive it. Looser than as input: masked and older values need not meet the
 * rules of new ones, and an absent value is the kind's own empty one.
 */
function wireValueSchema(field: Field): ResponseSchema {
  const kind = fieldKindOf(field)
  const { type, format, description } = kind.schema(field) as ResponseSchema
  const empty = kind.wire(null, field)
  const about = {
    title: `${field.label.zh} · ${field.label.en}`,
    ...((description ?? field.help?.en) && { description: [description, field.help?.en].filter(Boolean).join('. ') }),
  }
  if (kind.document === 'data' || !type) return about
  const value = { type, ...(format && { format }) }
  // Computed figures travel as their module presents them, as numbers or as text.
  if (field.computed && kind.readsAs === 'number') return { oneOf: [textSchema, numberSchema], ...about }
  const isEmptyOfType = type === 'integer' ? typeof empty === 'number' : typeof empty === type
  return isEmptyOfType ? { ...value, ...about } : { oneOf: [value, constSchema(empty)], ...about }
}

/** Fields of a tenant's own travel under keys like `own12t3`. */
const CUSTOM_FIELDS = { '^own\\d+[a-z]\\d+(Name)?$': {} }

const rows = new WeakMap<object, ResponseSchema>()

/** The schema with the properties of another one added. */
export const withProperties = <T, A>(
  { isOf: _type, ...whole }: ResponseSchema<T>,
  more: ResponseSchema<A>,
): ResponseSchema<T & A> => ({
  ...whole,
  properties: { ...whole.properties, ...more.properties },
  required: [...(whole.required ?? []), ...(more.required ?? [])],
})

/**
 * Schema of a resource's row as its list and detail send it. Lists leave out heavy fields and data scopes hide others,
 * so that only what every row has is required.
 */
export function rowSchema<R extends Resource<any, any>>(resource: R): ResponseSchema<WireRow<R>> {
  const known = rows.get(resource) as ResponseSchema<WireRow<R>> | undefined
  if (known) return known
  const fields = fieldEntries(resource.fields as Fields).filter(([, field]) => !field.secret)
  const made: ResponseSchema<WireRow<R>> = {
    ref: resource.name,
    type: 'object',
    properties: {
      id: rowIdSchema,
      ...(resource.tenancy === 'platform' ? {} : { tenantId: textSchema }),
      createUser: textSchema,
      createUserName: textSchema,
      createDept: textSchema,
      updateUser: textSchema,
      updateUserName: textSchema,
      createTime: textSchema,
      updateTime: textSchema,
      version: integerSchema,
      ...(resource.remove === 'soft' ? { isDeleted: integerSchema } : {}),
      ...Object.fromEntries(fields.map(([key, field]) => [key, wireValueSchema(field)])),
      ...Object.fromEntries(
        fields.flatMap(([key, { wireAlias }]) =>
          wireAlias ? [[wireAlias, wireValueSchema(resource.fields[key])]] : [],
        ),
      ),
      ...Object.fromEntries(
        fields
          .filter(([, field]) => hasValueLabel(field))
          .map(([key, field]) => [valueLabelKeyOf(key, field), { type: 'string', description: `words of ${key}` }]),
      ),
    },
    required: ['id', 'version'],
    patternProperties: CUSTOM_FIELDS,
  }
  rows.set(resource, made)
  return made
}

/** Schema of one page of a list. */
export const pageSchema = <T>(row: ResponseSchema<T>) =>
  objectSchema(
    {
      records: arraySchema(row),
      total: integerSchema,
      size: integerSchema,
      current: integerSchema,
      pages: integerSchema,
      orders: arraySchema(textSchema),
      optimizeCountSql: constSchema(true),
      searchCount: constSchema(true),
      countId: textSchema,
      maxLimit: integerSchema,
      totalCapped: constSchema(true),
    },
    ['totalCapped'],
  )

/** Schema of what saving a row answers. */
export const savedSchema = objectSchema({ id: rowIdSchema, version: integerSchema })

/** Schema of a background task that was begun. */
export const startedTaskSchema = objectSchema({ id: rowIdSchema })
