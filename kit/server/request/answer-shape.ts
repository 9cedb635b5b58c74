/**
 * What a call answers machines of others, said once: JSON Schema for the description of the interface, from which the
 * type of the answer follows, so that no type is written beside it.
 */

/** JSON Schema, as far as answers need it; `isOf` says the type to the compiler alone. */
export type Shape<T = unknown> = {
  readonly type?: string
  readonly description?: string
  readonly format?: string
  readonly pattern?: string
  readonly enum?: readonly string[]
  readonly const?: unknown
  readonly properties?: Readonly<Record<string, Shape>>
  readonly required?: readonly string[]
  readonly items?: Shape
  readonly oneOf?: readonly Shape[]
  readonly maxProperties?: number
  readonly isOf?: T
}
/** The type of what a shape describes. */
export type AnswerOf<S> = S extends Shape<infer T> ? T : never

/** How an answer leaves that is no JSON with status 200: another status, another content type, or no body at all. */
export type AnswerForm = { status?: number; type?: string }

type Properties = Readonly<Record<string, Shape>>
type Whole<P extends Properties, O extends keyof P> = { [K in Exclude<keyof P, O>]: AnswerOf<P[K]> } & {
  [K in O]?: AnswerOf<P[K]>
}

export const text: Shape<string> = { type: 'string' }
export const whole: Shape<number> = { type: 'integer' }
export const yes: Shape<boolean> = { type: 'boolean' }
/** Money: yuan as a decimal text. */
export const yuan: Shape<string> = { type: 'string', pattern: '^-?\\d+\\.\\d{2}$' }
export const moment: Shape<string> = {
  type: 'string',
  format: 'yyyy-MM-dd HH:mm:ss',
  pattern: '^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$',
}
export const id: Shape<string> = { type: 'string', pattern: '^\\d{1,19}$' }
/** Bytes of a file. */
export const bytes: Shape<string> = { type: 'string', format: 'binary' }
export const nothing: Shape<null> = { type: 'null' }

export const listOf = <T>(items: Shape<T>): Shape<T[]> => ({ type: 'array', items })

/** One of these words. */
export const wordOf = <const W extends string>(...words: readonly W[]): Shape<W> => ({ type: 'string', enum: words })

/** Just this value. */
export const exactly = <const T>(value: T): Shape<T> => ({ const: value })

/** Exactly one of these. */
export const oneOf = <S extends readonly Shape[]>(...shapes: S): Shape<AnswerOf<S[number]>> => ({ oneOf: shapes })

/** An object without anything in it. */
export const emptyObject: Shape<Record<string, never>> = { type: 'object', properties: {}, maxProperties: 0 }

/** All of these come always, unless named as those that may not; nothing else comes. */
export const object = <const P extends Properties, const O extends Extract<keyof P, string> = never>(
  properties: P,
  optional: readonly O[] = [],
): Shape<Whole<P, O>> => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((key) => !(optional as readonly string[]).includes(key)),
})
