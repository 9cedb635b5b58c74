/**
 * Schemas of answers, as JSON Schema for the API documentation. The TypeScript type of the answer is derived from the
 * schema, so it is not written twice.
 */

/** JSON Schema, as far as answers need it. `isOf` exists only for the compiler: the type the schema describes. */
export type ResponseSchema<T = unknown> = {
  /** Name under which the documentation keeps the schema, to refer to it. */
  readonly ref?: string
  readonly type?: string
  readonly title?: string
  readonly description?: string
  readonly format?: string
  readonly pattern?: string
  readonly enum?: readonly string[]
  readonly const?: unknown
  readonly properties?: Readonly<Record<string, ResponseSchema>>
  readonly required?: readonly string[]
  readonly items?: ResponseSchema
  readonly oneOf?: readonly ResponseSchema[]
  readonly additionalProperties?: ResponseSchema
  readonly patternProperties?: Readonly<Record<string, ResponseSchema>>
  readonly maxProperties?: number
  readonly isOf?: T
}
/** TypeScript type that a schema describes. */
export type ResponseTypeOf<S> = S extends ResponseSchema<infer T> ? T : never

/** Status and content type of an answer that is not JSON with status 200; 204 has no body. */
export type ResponseFormat = { status?: number; type?: string }

type Properties = Readonly<Record<string, ResponseSchema>>
type Whole<P extends Properties, O extends keyof P> = { [K in Exclude<keyof P, O>]: ResponseTypeOf<P[K]> } & {
  [K in O]?: ResponseTypeOf<P[K]>
}

export const textSchema: ResponseSchema<string> = { type: 'string' }
export const integerSchema: ResponseSchema<number> = { type: 'integer' }
export const numberSchema: ResponseSchema<number> = { type: 'number' }
export const booleanSchema: ResponseSchema<boolean> = { type: 'boolean' }
/** Yuan as decimal text. */
export const yuanSchema: ResponseSchema<string> = { type: 'string', pattern: '^-?\\d+\\.\\d{2}$' }
export const dateTimeSchema: ResponseSchema<string> = {
  type: 'string',
  format: 'yyyy-MM-dd HH:mm:ss',
  pattern: '^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$',
}
export const rowIdSchema: ResponseSchema<string> = { type: 'string', pattern: '^\\d{1,19}$' }
/** Bytes of a file. */
export const binarySchema: ResponseSchema<string> = { type: 'string', format: 'binary' }
export const nullSchema: ResponseSchema<null> = { type: 'null' }

export const arraySchema = <T>(items: ResponseSchema<T>): ResponseSchema<T[]> => ({ type: 'array', items })

/** Null if there is none. */
export const nullableSchema = <T>(one: ResponseSchema<T>): ResponseSchema<T | null> => ({ oneOf: [one, nullSchema] })

/** Any value: only where the shape is not the call's own, such as a document people wrote. */
export const anySchema: ResponseSchema<unknown> = { description: 'any value' }

/** Object of values under keys that are not known beforehand. */
export const recordSchema = <T>(values: ResponseSchema<T>): ResponseSchema<Record<string, T>> => ({
  type: 'object',
  additionalProperties: values,
})

/** One of these texts. */
export const enumSchema = <const W extends string>(...words: readonly W[]): ResponseSchema<W> => ({
  type: 'string',
  enum: words,
})

/** Exactly this value. */
export const constSchema = <const T>(value: T): ResponseSchema<T> => ({ const: value })

/** Exactly one of these. */
export const oneOfSchema = <S extends readonly ResponseSchema[]>(
  ...shapes: S
): ResponseSchema<ResponseTypeOf<S[number]>> => ({ oneOf: shapes })

/** An object without properties. */
export const emptyObjectSchema: ResponseSchema<Record<string, never>> = {
  type: 'object',
  properties: {},
  maxProperties: 0,
}

/** Object with exactly these properties; all are required except those in `optional`. */
export const objectSchema = <const P extends Properties, const O extends Extract<keyof P, string> = never>(
  properties: P,
  optional: readonly O[] = [],
): ResponseSchema<Whole<P, O>> => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((key) => !(optional as readonly string[]).includes(key)),
})
