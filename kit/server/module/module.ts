import type { IconName } from '../../base/icon-names.ts'
import type { Fields, FieldProblem, FieldProblemCode, Field, FieldValueOf } from '../../fields/base/field-kind.ts'
import { hasValueLabel } from '../../fields/kinds.ts'
import {
  baseFields,
  valueLabelKeyOf,
  type BaseKey,
  type PatchOf,
  type Resource,
  type RowOf,
} from '../../resource/define-resource.ts'
import type { Dictionary, MenuGroup, MenuPage } from '../../resource/dictionary.ts'
import type { SystemParam } from '../../resource/param.ts'
import type { FilterSuffix } from '../../resource/suffixes.ts'
import type { Lang, LocalizedText } from '../../base/localized-text.ts'
import type { CallDefinition } from '../../resource/define-call.ts'
import type { ResponseFormat, ResponseSchema } from '../../resource/response-schema.ts'
import type { Caller } from '../base/caller.ts'
import type { Db } from '../database/db.ts'
import { defineJob, type JobContext, type JobDefinition, type JobOptions } from '../jobs/job.ts'
import { Refused, type RefusalCode } from '../base/refused.ts'
import type { Table } from '../database/table.ts'
import type { Services } from './services.ts'
import type { ServerResponse } from 'node:http'
import type { Sql } from 'sql-template-tag'

/** What a handler receives: caller, language, parsed input and a database bound to the caller's tenant. */
export type Call<I = Record<string, any>> = {
  caller: Caller
  lang: Lang
  /** The transaction of this call; commits when the handler returns. Throws for routes with `tx: false`. */
  db: Db
  input: I
  /**
   * The request body before parsing into `input`, for the few routes whose body is a list or follows another protocol.
   */
  body: unknown
  /** The bytes of the body; only for routes with `raw`. */
  bytes?: Buffer
  /** Query parameters as sent, for list filters. */
  query: Record<string, string>
  services: Services
  request: {
    ip: string
    userAgent: string
    method: string
    url: string
    headers: Record<string, string | string[] | undefined>
    traceId: string
  }
  /** Uploaded file of a multipart route; the first one if there are several. */
  file?: Uploaded
  /** All uploaded files, of a route with `uploadMaxFiles`. */
  files?: readonly Uploaded[]
  /** The call was approved by others before: no approval gate holds it again (`request/approval-gate.ts`). */
  isApproved?: true
  /** The call is one of a bulk run: approval was checked for the run as a whole. */
  isOfSet?: true
  /** Makes an answer that is not in the usual envelope: a stream, a redirect. */
  reply: (answer: Answer) => HttpReply
}

/** `take` hands the connection over (an event stream): the pipeline writes nothing more to it. */
type Answer = {
  status?: number
  headers?: Record<string, string>
  body?: unknown
  take?: (response: ServerResponse) => void
}

export class HttpReply {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: unknown
  readonly take?: (response: ServerResponse) => void
  constructor(answer: Answer) {
    this.take = answer.take
    this.status = answer.status ?? 200
    this.headers = answer.headers ?? {}
    this.body = answer.body
  }
}

type Uploaded = { name: string; bytes: Buffer; type: string }

/** Result with a message of its own, which protocol clients show to people instead of the usual one. */
export class MessageResult<T = unknown> {
  readonly words: LocalizedText
  readonly data: T | undefined
  constructor(words: LocalizedText, data?: T) {
    this.words = words
    this.data = data
  }
}

/**
 * Who may call a route: holders of a permission code (or of any of several); or without a code, each with the reason
 * why: `open` anyone, `signedIn` every user, `platform` platform administrators, `terminal` a device with its own
 * credentials.
 */
export type AccessRule =
  | string
  | readonly string[]
  | { open: string }
  | { signedIn: string }
  | { platform: string }
  | { terminal: string }

/** What a call asks for, as its handler will read it. Approval and other checks before the handler use only this. */
export type RequestedOperation = {
  /** Parsed values by name. */
  values: Record<string, unknown>
  /** Declarations of those values that are declared fields. */
  fields: Fields
  /** Ids of the rows the call names. */
  ids: string[]
  /**
   * Operation applied to each of these rows, as bulk runs name it. Absent if the call changes no row, or always a
   * single one.
   */
  operation?: string
}

export type InputOf<F> = { -readonly [K in keyof F]: FieldValueOf<F[K]> }

export type Route<F extends Fields = Fields> = {
  method: 'GET' | 'POST' | 'PUT' | 'ANY'
  path: string
  /** Main path of the same call, if this path is for older or other clients: access is checked for both alike. */
  aliasOf?: string
  title: LocalizedText
  can: AccessRule
  /**
   * Nobody can be granted this route. Callers who may list the resource get this refusal, which tells them why; others
   * get the general one.
   */
  denyReason?: { code: RefusalCode; label: LocalizedText; list: string }
  /** Parsed parameters, taken from the query first, then the form, then the JSON body (wire contract §1.1). */
  input?: F
  /** Parameters the handler reads itself; used only for API documentation. */
  documentedInput?: Fields
  /**
   * Schema of the answer to other systems: of `data`, or with `rawResponse` of the whole body. Tests check each real
   * answer against it (`compareAnswers`).
   */
  answers?: ResponseSchema
  /** Format of the answer where it is not JSON with status 200. */
  answersAs?: ResponseFormat
  /**
   * What the call asks for, where it is not in `input`; parsed exactly as the handler parses it
   * (`requestedOperationOf`).
   */
  asks?: (call: Call<any>) => RequestedOperation
  /** Paths of other routes whose effect this call has: approvals those need are needed for this call too. */
  comesTo?: (call: Call<any>) => readonly string[]
  /**
   * Runs without a transaction: the handler opens units of work through `services` (to wait for other systems, or to
   * stream).
   */
  tx?: false
  /**
   * For frequent calls that look up rows by key alone: PostgreSQL keeps generic plans
   * (`UnitOfWorkOptions.genericPlans`).
   */
  genericPlans?: true
  /**
   * Also accepts the token from the cookie in which protocol clients keep it, since browsers send no header for an
   * image. For read-only routes.
   */
  tokenInCookie?: true
  /** Also answers HEAD, for uptime monitors. */
  head?: true
  /** The handler's value is the whole body, without envelope. */
  rawResponse?: boolean
  /**
   * Takes an uploaded file of at most this many bytes. `uploadMaxFiles`: takes up to that many, each within the limit.
   */
  uploadMaxBytes?: number
  uploadMaxFiles?: number
  /** Maximum size of a JSON body; 1 MiB if absent. A larger body is read only after authentication. */
  bodyMaxBytes?: number
  /** Passes the body on unparsed (`bytes`), for signatures, which cover exact bytes, and for images. */
  raw?: true
  /**
   * For routes with `bodyMaxBytes` whose URL itself is the permission: throws if the URL is not valid, before the body
   * is read.
   */
  authorizeUpload?: (query: Readonly<Record<string, string>>, services: Services) => Promise<void>
  /** Attempts per minute and client address; the general limit when absent. */
  perMinute?: number
  /** Is answered even while the caller must first change the password. */
  allowedBeforePasswordChange?: true
  /** `false`: not written to the operation log (reads never are). */
  log?: false
  handle: (call: Call<InputOf<F>>) => Promise<unknown>
}

type DeepReadonly<T> = T extends readonly (infer E)[]
  ? readonly DeepReadonly<E>[]
  : T extends object
    ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
    : T

/** What a handler may return for an answer; nothing at all where the answer may be an empty object. */
type HandlerResultOf<A> =
  | DeepReadonly<A>
  | (Record<string, never> extends A ? void : never)
  | MessageResult<DeepReadonly<A>>

type CallRouteOptions = Omit<
  Route,
  'method' | 'path' | 'input' | 'documentedInput' | 'answers' | 'answersAs' | 'rawResponse' | 'handle'
>

/** Server side of a declared call. */
type CallRoute<F, A> = CallRouteOptions &
  (
    | { parsesItself?: undefined; handle: (call: Call<InputOf<F>>) => Promise<HandlerResultOf<A>> }
    /** The handler reads `query` and `body` itself; the declared parameters are for clients and documentation. */
    | { parsesItself: true; handle: (call: Call<Record<string, never>>) => Promise<HandlerResultOf<A>> }
  )

/**
 * Declares a route that belongs to no resource: of a declared call (`defineCall`), whose method, path, parameters and
 * answer it takes, or one that says all itself.
 */
export function defineRoute<F, A, P extends string>(call: CallDefinition<F, A, P>, route: CallRoute<F, A>): Route
export function defineRoute<const F extends Fields>(definition: Route<F>): Route
export function defineRoute(first: object, second?: CallRoute<any, any>): Route {
  if (!second) return first as Route
  const { method, path, input, answer: answers } = first as CallDefinition<Fields>
  const { parsesItself, ...route } = second
  return {
    ...route,
    method,
    path,
    ...(input && (parsesItself ? { documentedInput: input } : { input })),
    answers,
  } as Route
}

/** Returns the same routes under another path prefix, for clients that know them there. */
export const aliasRoutes = (routes: readonly Route[], from: string, to: string): Route[] =>
  routes.map((one) => ({ ...one, path: one.path.replace(from, to), aliasOf: one.path }))

type Actions<R> = R extends { actions: infer A } ? A : never
type InputFields<A> = A extends { input: infer F } ? InputOf<F> : Record<string, never>
type Target<R, A> = A extends { on: 'row' } ? RowOf<R> : A extends { on: 'bulk' } ? RowOf<R>[] : undefined

type FieldOf<R extends Resource<any, any>> = Extract<keyof R['fields'], string>

export type ResourceHooks<R extends Resource<any, any>> = {
  /**
   * Locks rows that come first in the lock order (a customer before their rows), before this row is locked for a
   * change, action or removal. Whether the caller may see the row is checked only afterwards.
   */
  beforeLock?: (id: string, call: Call) => Promise<void>
  /** May change the draft or refuse. Runs inside the transaction; `was` is the locked row, undefined for a new one. */
  beforeSave?: (draft: PatchOf<R>, was: RowOf<R> | undefined, call: Call) => Promise<void> | void
  /** May write more rows; inside the transaction. */
  afterSave?: (row: RowOf<R>, was: RowOf<R> | undefined, call: Call) => Promise<void> | void
  /** May refuse; `isAlong`: the rows are removed because a row they refer to is. */
  beforeRemove?: (rows: RowOf<R>[], call: Call, isAlong?: boolean) => Promise<void> | void
  afterRemove?: (rows: RowOf<R>[], call: Call) => Promise<void> | void
  /**
   * May refuse to restore from the recycle bin. `beforeSave` and `afterSave` also run for the row, as for an unchanged
   * save.
   */
  beforeRestore?: (call: Call) => Promise<void> | void
  /** Runs after a row was restored and saved again unchanged. */
  afterRestore?: (row: RowOf<R>, call: Call) => Promise<void> | void
  /** SQL conditions added to every read and write, for alias `r`: ` and r.kind = 1`. */
  where?: (call: Call) => Sql
  /** SQL conditions added to pickers, for alias `r`. Values chosen before still show their names. */
  offers?: (call: Call) => Sql
  /** Fills computed fields of the wire rows, for all rows at once. `rows`: the same rows as handlers see them. */
  present?: (wire: Record<string, unknown>[], rows: RowOf<R>[], call: Call) => Promise<void> | void
  /** Shape of what `present` adds to rows besides declared fields. */
  adds?: ResponseSchema
  /** Data that `submit` returns besides the id. */
  answer?: { schema: ResponseSchema; of: (row: RowOf<R>, call: Call) => Record<string, unknown> }
  /** Replaces the standard list, for another shape such as a tree. */
  list?: (call: Call) => Promise<unknown>
  /** Standard routes this resource does not have. */
  without?: readonly ('list' | 'detail' | 'submit' | 'remove')[]
  /**
   * Rows of a resource with another `writer` than people may still be changed by hand (fields with `form: 'edit'`
   * only).
   */
  allowManualEdit?: boolean
  /** `detail` and `remove` find the row by this field instead of the id. */
  key?: FieldOf<R>
  /** `detail` also finds the row by this field. */
  detailBy?: FieldOf<R>
}

type ActionHandlers<R extends Resource<any, any>> = {
  [K in keyof Actions<R>]: (
    target: Target<R, Actions<R>[K]>,
    input: InputFields<Actions<R>[K]>,
    call: Call,
  ) => Promise<ActionResultOf<Actions<R>[K]>>
}

type ActionResultOf<A> = A extends { answer: ResponseSchema<infer T> } ? HandlerResultOf<T> : void | MessageResult<void>

export type ServedResource<R extends Resource<any, any> = Resource<any, any>> = {
  resource: R
  hooks: ResourceHooks<R>
  actions: Record<string, (target: any, input: any, call: Call) => Promise<unknown>>
}

/**
 * Binds a resource to its server code. An action without a handler, or a handler without an action, does not compile.
 * Actions listed in `above` are handled by a module above this one, with `extend`.
 */
export function serve<R extends Resource<any, any>, const Above extends keyof Actions<R> = never>(
  resource: R,
  ...rest: keyof Actions<R> extends never
    ? [hooks?: ResourceHooks<R>]
    : [hooks: ResourceHooks<R> & { actions: Omit<ActionHandlers<R>, Above>; above?: readonly Above[] }]
): ServedResource {
  const {
    actions,
    above: _above,
    ...hooks
  } = (rest[0] ?? {}) as ResourceHooks<R> & { actions?: object; above?: unknown }
  return { resource, hooks, actions: actions ?? {} } as unknown as ServedResource
}

const extended = ['afterSave', 'beforeRemove', 'afterRemove', 'afterRestore'] as const

/** Code a module adds to a resource of a module below it, which does not know it. */
export type ResourceExtension = Pick<ServedResource, 'resource' | 'actions'> & {
  hooks: Pick<ResourceHooks<any>, (typeof extended)[number]>
}

/**
 * Adds hooks and action handlers of this module to a resource of a module below it. The resource's own hooks run first,
 * then those of the modules in order, all in one transaction.
 */
export function extend<R extends Resource<any, any>>(
  resource: R,
  {
    actions = {},
    ...hooks
  }: Pick<ResourceHooks<R>, (typeof extended)[number]> & { actions?: Partial<ActionHandlers<R>> },
): ResourceExtension {
  return { resource, hooks, actions } as unknown as ResourceExtension
}

/** Returns the resource with the hooks and actions of these extensions. */
export function withExtensions(served: ServedResource, extensions: readonly ResourceExtension[]): ServedResource {
  const added = extensions.filter((one) => one.resource.name === served.resource.name)
  if (!added.length) return served
  const hooks: Record<string, unknown> = { ...served.hooks }
  for (const name of extended) {
    const steps = [served, ...added].flatMap((one) => one.hooks[name] ?? [])
    if (steps.length < 2) hooks[name] = steps[0]
    else
      hooks[name] = async (...given: unknown[]) => {
        for (const step of steps) await (step as (...args: unknown[]) => unknown)(...given)
      }
  }
  const actions = Object.assign({}, served.actions, ...added.map((one) => one.actions)) as ServedResource['actions']
  return { ...served, hooks, actions }
}

/**
 * Background job of a module; `run` also gets the services. It may be repeated after a crash and must be idempotent.
 */
export type ModuleJob<Payload = any> = JobDefinition<Payload, ModuleJobContext>
type ModuleJobContext = JobContext & { services: Services }

/** Declares the one handler of a queue (`defineQueue`), which types its payload. */
export const defineModuleJob = <Payload>(options: JobOptions<Payload, ModuleJobContext>): ModuleJob<Payload> =>
  defineJob(options)

/**
 * Pending work counted on the home page: a resource's list with a filter. The number is that list's total within the
 * reader's rights; clicking it opens exactly those rows.
 */
export type TodoDefinition = {
  key: string
  label: LocalizedText
  /** Name of the resource; readers who may not list it do not see the number. */
  resource: string
  /** Filter of the resource's list, as in its address. */
  query: (now: { today: string; daysAgo: (days: number) => string; userId: string }) => Record<string, string>
  /** Permission needed to deal with it: others do not see it. If absent, seeing the list is enough. */
  can?: string
  /** How a row is shown in one line on the home page of shop staff. */
  line?: NeedLine
  /** Order of the rows behind the number, as in the list's address: `{ ascs: 'expiryDate' }`. */
  order?: Record<string, string>
  icon: IconName
  tone: 'bad' | 'warn'
  /** Order among those of the same tone, smallest first; 50 if absent. A waiting customer comes before a shelf. */
  sort?: number
  /** Money field whose sum is shown beside the number. */
  amount?: string
}

/**
 * Fields of a row shown in its line: title, notes, and the time it happened or (`due`) must be done by; `to`: page
 * where it is worked on.
 */
type NeedLine<K extends string = string> = {
  title: K
  notes?: readonly K[]
  time?: K
  due?: boolean
  to?: (row: Record<string, unknown>) => string
}

type Column<R extends Resource<any, any>> = FieldOf<R> | BaseKey
type Filter<R extends Resource<any, any>> = Column<R> | `${Column<R>}_${FilterSuffix}`
type NeedOf<R extends Resource<any, any>, Own extends string, Q extends string> = Omit<
  TodoDefinition,
  'resource' | 'query' | 'line' | 'order' | 'amount'
> & {
  query: (...params: Parameters<TodoDefinition['query']>) => { [K in Q]: string }
  /** Filter keys that only the resource's own `where` hook understands. */
  own?: readonly Own[]
  line?: NeedLine<Column<R>>
  order?: { [K in 'ascs' | 'descs']?: Column<R> }
  amount?: FieldOf<R>
}

/**
 * Declares pending work of a resource, checked against its fields. References and choices are shown by their labels.
 */
export function defineTodo<
  R extends Resource<any, any>,
  Q extends Filter<R> | NoInfer<Own>,
  const Own extends string = never,
>(resource: R, { own: _own, ...need }: NeedOf<R, Own, Q>): TodoDefinition {
  const shown = (key: string) => {
    const field: Field = resource.fields[key] ?? baseFields[key as BaseKey]
    return hasValueLabel(field) ? valueLabelKeyOf(key, field) : key
  }
  const { line } = need
  return {
    ...(need as Omit<TodoDefinition, 'resource'>),
    resource: resource.name,
    line: line && { ...line, title: shown(line.title), notes: line.notes?.map(shown) },
  }
}

/** A button on the home page that starts some work, for those with permission `can`. */
type Shortcut = { key: string; label: LocalizedText; icon: IconName; path: string; can: string; sort: number }

/**
 * Cleanup rule: deletes rows of a table older than a parameter says in days. `where`: SQL condition they must also
 * meet.
 */
export type RetentionRule = {
  table: string
  param: SystemParam
  where?: string
  /** Deletes what belongs to these rows of one tenant, such as files, in the same transaction. */
  along?: (db: Db, rows: readonly Record<string, unknown>[]) => Promise<void>
}

/** A module as the server loads it. */
export type ModuleDefinition = {
  name: string
  label: LocalizedText
  resources?: readonly ServedResource[]
  /** Code this module adds to resources of modules below it. */
  extends?: readonly ResourceExtension[]
  routes?: readonly Route[]
  tables?: readonly Table[]
  jobs?: readonly ModuleJob[]
  dictionaries?: readonly Dictionary[]
  params?: readonly SystemParam[]
  /**
   * Rules by which the nightly cleanup deletes old rows, in small batches. Their parameters need not be listed in
   * `params`.
   */
  retention?: readonly RetentionRule[]
  menus?: readonly (MenuGroup | MenuPage)[]
  /** Kinds of pending work shown on the home page ("needs you now"). */
  todos?: readonly TodoDefinition[]
  /** Buttons on the home page. */
  shortcuts?: readonly Shortcut[]
  /**
   * Runs at every start after migrations, in a unit across tenants: inserts rows that must exist. Must be repeatable.
   * May return a sentence that reports what an upgrade changed.
   */
  seed?: (db: Db, services: Services) => Promise<string | void>
  /** Runs once the process serves: subscriptions, caches. Returns a function that stops it. */
  start?: (services: Services) => Promise<(() => Promise<void>) | void>
}

export const defineModule = (module: ModuleDefinition): ModuleDefinition => module

/** The modules of a server, put together when they are mounted. */
export type ModuleRegistry = {
  modules: readonly ModuleDefinition[]
  served: ReadonlyMap<string, ServedResource>
  /** All routes of all modules, generated and declared, in their order. */
  routes: readonly Route[]
  resource: (name: string) => Resource<any, any>
  /** All paths of a call that has several, by each of them. */
  addresses: ReadonlyMap<string, readonly string[]>
}

declare module './services.ts' {
  // oxlint-disable-next-line typescript/consistent-type-definitions
  interface Services {
    registry: ModuleRegistry
  }
}

/** Returns a refusal that lists invalid fields; each sentence uses the field's label. */
export function invalidInputRefusal(problems: Record<string, { problem: FieldProblem; field: Field }>): Refused {
  return new Refused('invalid', {}, { problems })
}

/** Returns a refusal of one field of a resource: `throw invalidFieldRefusal(goodInfo, 'upc', 'taken')`. */
export const invalidFieldRefusal = <F extends Fields>(
  resource: { fields: F },
  key: Extract<keyof F, string>,
  code: FieldProblemCode,
  params?: Record<string, unknown>,
): Refused => invalidInputRefusal({ [key]: { problem: { code, params }, field: resource.fields[key]! } })
