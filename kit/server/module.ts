import type { IconName } from '../resource/icon-names.ts'
import type { Fields, FieldProblem, FieldProblemCode, Field, FieldValueOf } from '../fields/field-kind.ts'
import { hasValueLabel } from '../fields/kinds.ts'
import {
  baseFields,
  valueLabelKeyOf,
  type BaseKey,
  type PatchOf,
  type Resource,
  type RowOf,
} from '../resource/define-resource.ts'
import type { Dictionary, MenuGroup, MenuPage } from '../resource/dictionary.ts'
import type { SystemParam } from '../resource/param.ts'
import type { FilterSuffix } from '../resource/suffixes.ts'
import type { Lang, LocalizedText } from '../resource/localized-text.ts'
import type { ResponseFormat, ResponseSchema } from './request/answer-shape.ts'
import type { RequestedOperation } from './request/asked.ts'
import type { Caller } from './caller.ts'
import type { Db } from './database/db.ts'
import type { JobContext, JobDefinition } from './jobs/index.ts'
import { Refused, type RefusalCode } from './refused.ts'
import type { Table } from './database/schema.ts'
import type { Services } from './services.ts'
import type { ServerResponse } from 'node:http'
import type { Sql } from 'sql-template-tag'

/**
 * What a handler is given: who calls, in which language, the parsed input, and a database bound to the caller's tenant.
 */
export type Call<I = Record<string, any>> = {
  caller: Caller
  lang: Lang
  /** Inside one transaction that commits when the handler returns. Not there (throws) for routes with `tx: false`. */
  db: Db
  input: I
  /** The body as it came, for the few calls whose body is a list or belongs to another protocol. */
  body: unknown
  /** The body's bytes exactly as they came, of routes that say `raw`. */
  bytes?: Buffer
  /** Query keys as they came, for list filters. */
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
  /** Uploaded file of a multipart route. */
  file?: Uploaded
  /** All of them, of a route that takes several. */
  files?: readonly Uploaded[]
  /** Others have agreed to this very call: no gate holds it (`request/approval-gate.ts`). */
  isApproved?: true
  /** This call is one of many that were asked for as a set: what is held as a set was held then. */
  isOfSet?: true
  /** Answers something that is no envelope: a stream, a redirect. */
  reply: (answer: Answer) => HttpReply
}

/** `take` gives the connection to somebody else (a stream of events): nothing more is written by the pipeline. */
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

/** What was done, in words of its own: clients of the protocol show the sentence of an answer to people. */
export class MessageResult {
  readonly words: LocalizedText
  readonly data: unknown
  constructor(words: LocalizedText, data?: unknown) {
    this.words = words
    this.data = data
  }
}

/**
 * Who may call a route: a permission code (or any of several), or one of the three doors that need a reason: `open` to
 * anyone,
 * `signedIn` to every user, `platform` to platform administrators, `terminal` to a device with its own credentials.
 */
export type AccessRule =
  | string
  | readonly string[]
  | { open: string }
  | { signedIn: string }
  | { platform: string }
  | { terminal: string }

export type InputOf<F> = { -readonly [K in keyof F]: FieldValueOf<F[K]> }

export type Route<F extends Fields = Fields> = {
  method: 'GET' | 'POST' | 'PUT' | 'ANY'
  path: string
  /** The first address of the same call, where old or later clients know it by another one: both are guarded as one. */
  aliasOf?: string
  title: LocalizedText
  can: AccessRule
  /**
   * Nobody is granted this: whoever may list the family is told why with this refusal, and not only that they may not.
   */
  denyReason?: { code: RefusalCode; label: LocalizedText; list: string }
  /** Arguments, taken from the query first, then the form, then the JSON body (wire contract §1.1). */
  input?: F
  /** Arguments the handler reads itself, for the description of the call. */
  documentedInput?: Fields
  /**
   * What machines of others are answered: `data`, of a bare route the whole body. Tests compare it with each real
   * answer (`compareAnswers`).
   */
  answers?: ResponseSchema
  /** How that leaves, where it is no JSON with status 200. */
  answersAs?: ResponseFormat
  /** What the handler reads of the call where that is not `input`, parsed as it parses it (`askedOf`). */
  asks?: (call: Call<any>) => RequestedOperation
  /** Addresses of other calls that this one comes to: who has to agree to those has to agree to this one. */
  comesTo?: (call: Call<any>) => readonly string[]
  /**
   * No transaction: the handler opens units of work itself through `services` (waiting for the outside world,
   * streaming).
   */
  tx?: false
  /**
   * Asks by keys alone, and often: its transaction keeps the plans of its statements
   * (`UnitOfWorkOptions.genericPlans`).
   */
  genericPlans?: true
  /**
   * Who asks may say so by the cookie in which clients of the protocol keep their token: browsers send no header for a
   * picture. For what is only looked at.
   */
  tokenInCookie?: true
  /** Answers HEAD as well, as watchers of a service ask. */
  head?: true
  /** The handler's value is the whole body, without envelope. */
  rawResponse?: boolean
  /** Takes an uploaded file of at most this many bytes; of `uploadMaxFiles` several, each of them. */
  uploadMaxBytes?: number
  uploadMaxFiles?: number
  /** Body limit for JSON, default 1 MiB. A larger one is read after the caller is known. */
  bodyMaxBytes?: number
  /** The body is handed over as it came (`bytes`), unread: signatures are made over bytes, and pictures are no JSON. */
  raw?: true
  /**
   * Of a route with `bodyMaxBytes` whose address itself is the permission: throws where it is none, before any of the
   * body is read.
   */
  authorizeUpload?: (query: Readonly<Record<string, string>>, services: Services) => Promise<void>
  /** Attempts per minute and client address; the general limit when absent. */
  perMinute?: number
  /** Answered also while the caller's password has to be changed first. */
  allowedBeforePasswordChange?: true
  /** false keeps it out of the operation log (reads are out anyway). */
  log?: false
  handle: (call: Call<InputOf<F>>) => Promise<unknown>
}

/** A plain endpoint beside the resources, with a stated permission. */
export const defineRoute = <const F extends Fields>(definition: Route<F>): Route => definition as unknown as Route

/** The same calls under another address, for clients that know them there. */
export const aliasRoutes = (routes: readonly Route[], from: string, to: string): Route[] =>
  routes.map((one) => ({ ...one, path: one.path.replace(from, to), aliasOf: one.path }))

type Actions<R> = R extends { actions: infer A } ? A : never
type InputFields<A> = A extends { input: infer F } ? InputOf<F> : Record<string, never>
type Target<R, A> = A extends { on: 'row' } ? RowOf<R> : A extends { on: 'bulk' } ? RowOf<R>[] : undefined

/** The fields of a resource by name. */
type FieldOf<R extends Resource<any, any>> = Extract<keyof R['fields'], string>

export type ResourceHooks<R extends Resource<any, any>> = {
  /**
   * Locks what stands above a row in the order of locks (a customer before what is theirs), before the row itself is
   * locked for a change, an action or a removal. Nothing is known of it yet: whether the caller may see it comes after.
   */
  beforeLock?: (id: string, call: Call) => Promise<void>
  /** May change the draft or refuse; inside the transaction. `was` is the locked row when changing. */
  beforeSave?: (draft: PatchOf<R>, was: RowOf<R> | undefined, call: Call) => Promise<void> | void
  /** May write more rows; inside the transaction. */
  afterSave?: (row: RowOf<R>, was: RowOf<R> | undefined, call: Call) => Promise<void> | void
  /** May refuse; `isAlong` when they go because what they name goes. */
  beforeRemove?: (rows: RowOf<R>[], call: Call, isAlong?: boolean) => Promise<void> | void
  afterRemove?: (rows: RowOf<R>[], call: Call) => Promise<void> | void
  /**
   * May refuse that a row comes back from the recycle bin; `beforeSave` and `afterSave` run for it as for a save that
   * changes nothing.
   */
  beforeRestore?: (call: Call) => Promise<void> | void
  /** A row is back from the recycle bin, and saved again as it was. */
  afterRestore?: (row: RowOf<R>, call: Call) => Promise<void> | void
  /** More conditions of every read and write, for alias `r`: ` and r.kind = 1`. */
  where?: (call: Call) => Sql
  /** More conditions of what pickers offer, for alias `r`; what was chosen before keeps its name. */
  offers?: (call: Call) => Sql
  /** Fills computed fields of wire rows, in one batch. `rows` are what handlers see, `wire` what is sent. */
  present?: (wire: Record<string, unknown>[], rows: RowOf<R>[], call: Call) => Promise<void> | void
  /** What `submit` answers besides the id. */
  answer?: (row: RowOf<R>, call: Call) => Promise<Record<string, unknown>> | Record<string, unknown>
  /** A list of another shape (a tree). */
  list?: (call: Call) => Promise<unknown>
  /** Standard calls this family does not have. */
  without?: readonly ('list' | 'detail' | 'submit' | 'remove')[]
  /** Rows of a family with another writer may be changed by hand all the same (fields with form `edit` only). */
  allowManualEdit?: boolean
  /** `detail` and `remove` go by this field instead of the id. */
  key?: FieldOf<R>
  /** `detail` may be asked by this field as well as by the id. */
  detailBy?: FieldOf<R>
}

type ActionHandlers<R extends Resource<any, any>> = {
  [K in keyof Actions<R>]: (
    target: Target<R, Actions<R>[K]>,
    input: InputFields<Actions<R>[K]>,
    call: Call,
  ) => Promise<unknown>
}

export type ServedResource<R extends Resource<any, any> = Resource<any, any>> = {
  resource: R
  hooks: ResourceHooks<R>
  actions: Record<string, (target: any, input: any, call: Call) => Promise<unknown>>
}

/**
 * Binds a declaration to what the server does with it. Declared actions without handler, and handlers nobody declared,
 * do not compile. Actions named in `above` are carried out by a module above this one, which says so with `extend`.
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

/** What a module does for a family of a module below it, which does not know it. */
export type ResourceExtension = Pick<ServedResource, 'resource' | 'actions'> & {
  hooks: Pick<ResourceHooks<any>, (typeof extended)[number]>
}

/**
 * What happens in this module when rows of a family below it are saved, removed or restored, and the actions it carries
 * out for that family. The family's own hooks run first, then those of the modules in their order, in one transaction.
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

/** A family with what the modules above it add. */
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
 * Background work of a module: a job that is also given the services. A run may be repeated after a crash and must bear
 * that.
 */
export type ModuleJob<Payload = any> = Omit<JobDefinition<Payload>, 'run'> & {
  run: (payload: Payload, context: JobContext & { services: Services }) => Promise<void>
}

export const defineModuleJob = <Payload>(job: ModuleJob<Payload>): ModuleJob<Payload> => job

/**
 * Work that waits for somebody, counted on the home page. It is a list of the resource with a filter: the number is the
 * list's total within the reader's rights, and pressing it opens exactly these rows.
 */
export type TodoDefinition = {
  key: string
  label: LocalizedText
  /** Name of the resource; who may not list it does not see the number. */
  resource: string
  /** Filter of the resource's list, as in its address. */
  query: (now: { today: string; daysAgo: (days: number) => string; userId: string }) => Record<string, string>
  /**
   * Permission code of what is done about it: who may not do that is not asked to. Seeing the list is enough when
   * absent.
   */
  can?: string
  /** How a row reads in one line on the home page of somebody at work in a shop. */
  line?: NeedLine
  /** Order of the rows behind the number, as in the list's address: `{ ascs: 'expiryDate' }`. */
  order?: Record<string, string>
  icon: IconName
  tone: 'bad' | 'warn'
  /** Among those of its tone, the smaller stands first: a customer who waits comes before a shelf. 50 unless said. */
  sort?: number
  /** A money field whose sum is told beside the number. */
  amount?: string
}

/**
 * Fields of a row that say what it is about, what else is worth knowing, when it happened or (`due`) has to be done by,
 * and the page where it is worked on.
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
  query: (...asked: Parameters<TodoDefinition['query']>) => { [K in Q]: string }
  /** Keys of the list that only the family's `where` understands. */
  own?: readonly Own[]
  line?: NeedLine<Column<R>>
  order?: { [K in 'ascs' | 'descs']?: Column<R> }
  amount?: FieldOf<R>
}

/**
 * Work that waits in a family, said by its fields; those that are references or choices are told by their words.
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

/** Work people begin by themselves, as a button on the home page of those who may do it. */
type Shortcut = { key: string; label: LocalizedText; icon: IconName; path: string; can: string; sort: number }

/** Rows that may go when they are older than a parameter says in days; `where` is SQL for those among them that may. */
export type RetentionRule = {
  table: string
  param: SystemParam
  where?: string
  /** What goes along with rows of one tenant, in their transaction: their files. */
  along?: (db: Db, rows: readonly Record<string, unknown>[]) => Promise<void>
}

/** A module as the server mounts it. */
export type ModuleDefinition = {
  name: string
  label: LocalizedText
  resources?: readonly ServedResource[]
  /** What this module does for families of modules below it. */
  extends?: readonly ResourceExtension[]
  routes?: readonly Route[]
  tables?: readonly Table[]
  jobs?: readonly ModuleJob[]
  dictionaries?: readonly Dictionary[]
  params?: readonly SystemParam[]
  /**
   * What grows for ever here; the clock removes what is old, in small parts. Its parameters are the module's, without
   * being said again.
   */
  retention?: readonly RetentionRule[]
  menus?: readonly (MenuGroup | MenuPage)[]
  /** What of this module may wait for somebody: the home page's "needs you now". */
  todos?: readonly TodoDefinition[]
  /** What of this module is begun from the home page. */
  shortcuts?: readonly Shortcut[]
  /**
   * Runs at every start after migration, inside a unit across tenants: seeds what must exist. Must be repeatable. May
   * answer a sentence on what an upgrade brought.
   */
  seed?: (db: Db, services: Services) => Promise<string | void>
  /** Runs once the process serves: subscriptions, caches. Returns how to stop. */
  start?: (services: Services) => Promise<(() => Promise<void>) | void>
}

export const defineModule = (module: ModuleDefinition): ModuleDefinition => module

/** Refuses an input by field; the sentence is made from each field's own label. */
export function invalidInputRefusal(problems: Record<string, { problem: FieldProblem; field: Field }>): Refused {
  return new Refused('invalid', {}, { problems })
}

/** Refuses one field of a resource: `throw invalidField(goodInfo, 'upc', 'taken')`. */
export const invalidFieldRefusal = <F extends Fields>(
  resource: { fields: F },
  key: Extract<keyof F, string>,
  code: FieldProblemCode,
  params?: Record<string, unknown>,
): Refused => invalidInputRefusal({ [key]: { problem: { code, params }, field: resource.fields[key]! } })
