import type { Field, FieldValueOf } from '../fields/base/field-kind.ts'
import type { ResponseSchema } from './response-schema.ts'

type NoFields = Record<never, never>
/** Declared parameters; `any` because a parameter's own type must not be widened. */
type CallFields = { readonly [key: string]: Field<any> }

/**
 * A call between browser and server, declared once: the route, the browser, tests and the API documentation take its
 * method, path, parameters and the shape of its answer from it. It holds no code of the server.
 */
export type CallDefinition<F = NoFields, A = unknown, P extends string = string> = {
  readonly method: 'GET' | 'POST'
  readonly path: P
  /** Parameters; those of the path (`:id`) need not be named. */
  readonly input?: F
  /** Shape of `data` in the envelope, from which its type follows. */
  readonly answer: ResponseSchema<A>
}

/** Declares a call. Its type, its documentation and the check of its real answers are derived from this. */
export const defineCall = <
  const F extends CallFields = NoFields,
  A = unknown,
  const P extends `/api/${string}` = never,
>(
  definition: CallDefinition<F, A, P>,
): CallDefinition<F, A, P> => definition

/** Type of a parameter as a client sends it: amounts are yuan as text and never a number, which would be cents. */
type SentValueOf<F> = F extends { readonly kind: infer K }
  ? K extends 'boolean'
    ? boolean
    : K extends 'number' | 'percent'
      ? number | string
      : K extends 'dict'
        ? NonNullable<FieldValueOf<F>> | string
        : K extends 'refs' | 'dicts' | 'tags' | 'pictures' | 'files'
          ? string | readonly string[]
          : K extends 'json'
            ? unknown
            : string
  : never

/** Parameters that need no value: those not declared `required`. */
type OptionalKeysOf<F> = { [K in keyof F]: null extends FieldValueOf<F[K]> ? K : never }[keyof F]

type PathKeysOf<P extends string> = P extends `${string}:${infer Name}/${infer Rest}`
  ? Name | PathKeysOf<Rest>
  : P extends `${string}:${infer Name}`
    ? Name
    : never

type AllOptional<F> = { readonly [K in OptionalKeysOf<F>]?: SentValueOf<F[K]> | null }
type AllRequired<F> = { readonly [K in Exclude<keyof F, OptionalKeysOf<F>>]: SentValueOf<F[K]> }

/** Parameters of a call as a client sends them. */
export type CallInputOf<C> =
  C extends CallDefinition<infer F, any, infer P>
    ? [keyof F | PathKeysOf<P>] extends [never]
      ? Record<string, never>
      : AllRequired<F> & AllOptional<F> & { readonly [K in Exclude<PathKeysOf<P>, keyof F>]: string }
    : never

/** Answer of a call as clients receive it. */
export type CallAnswerOf<C> = C extends CallDefinition<any, infer A, any> ? A : never

/** Returns the path with its parameters filled in, and the parameters that remain. */
export function filledPath(path: string, input: Record<string, unknown>): [string, Record<string, unknown>] {
  const rest = { ...input }
  const filled = path.replace(/:(\w+)/g, (_all, name: string) => {
    const value = rest[name]
    delete rest[name]
    return encodeURIComponent(String(value))
  })
  return [filled, rest]
}
