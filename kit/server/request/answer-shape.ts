/**
 * What a call answers machines of others, said once: JSON Schema for the description of the interface, from which the
 * type of the answer follows, so that no type is written beside it.
 */

/** JSON Schema, as far as answers need it; `isOf` says the type to the compiler alone. */
export type ResponseSchema<T = unknown> = {
  readonly type?: string
  readonly description?: string
  readonly format?: string
  readonly pattern?: string
  readonly enum?: readonly string[]
  readonly const?: unknown
  readonly properties?: Readonly<Record<string, ResponseSchema>>
  readonly required?: readonly string[]
  readonly items?: ResponseSchema
  readonly oneOf?: readonly ResponseSchema[]
  readonly maxProperties?: number
  readonly isOf?: T
}
/** The type of what a shape describes. */
export type ResponseTypeOf<S> = S extends ResponseSchema<infer T> ? T : never

/** How an answer leaves that is no JSON with status 200: another status, another content type, or no body at all. */
export type ResponseFormat = { status?: number; type?: string }

type Properties = Readonly<Record<string, ResponseSchema>>
type Whole<P extends Properties, O extends keyof P> = { [K in Exclude<keyof P, O>]: ResponseTypeOf<P[K]> } & {
  [K in O]?: ResponseTypeOf<P[K]>
}

export const textSchema: ResponseSchema<string> = { type: 'string' }
export const integerSchema: ResponseSchema<number> = { type: 'integer' }
export const booleanSchema: ResponseSchema<boolean> = { type: 'boolean' }
/** Money: yuan as a decimal text. */
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

/** One of these words. */
export const enumSchema = <const W extends string>(...words: readonly W[]): ResponseSchema<W> => ({
  type: 'string',
  enum: words,
})

/** Just this value. */
export const constSchema = <const T>(value: T): ResponseSchema<T> => ({ const: value })

/** Exactly one of these. */
export const oneOfSchema = <S extends readonly ResponseSchema[]>(
  ...shapes: S
): ResponseSchema<ResponseTypeOf<S[number]>> => ({ oneOf: shapes })

/** An object without anything in it. */
export const emptyObjectSchema: ResponseSchema<Record<string, never>> = {
  type: 'object',
  properties: {},
  maxProperties: 0,
}

/** All of these come always, unless named as those that may not; nothing else comes. */
export const objectSchema = <const P extends Properties, const O extends Extract<keyof P, string> = never>(
  properties: P,
  optional: readonly O[] = [],
): ResponseSchema<Whole<P, O>> => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((key) => !(optional as readonly string[]).includes(key)),
})
