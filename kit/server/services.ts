import type { Logger } from 'pino'
import type { Field } from '../fields/field-kind.ts'
import type { Resource } from '../resource/define-resource.ts'
import type { Lang } from '../resource/localized-text.ts'
import type { Caller } from './caller.ts'
import type { Actor, Db, Pool, UnitOfWorkRequest } from './database/db.ts'
import type { LiveStreams } from './live.ts'
import type { CustomFieldCache } from './resource/custom-fields.ts'
import type { ProcessMetrics } from './meters/index.ts'
import type { ModuleDefinition, ServedResource } from './module.ts'
import type { SharedStore } from './shared/index.ts'
import type { Slots } from './slots.ts'
import type { BrokerLink } from './broker/index.ts'
import type { FileStore } from './storage/index.ts'

/** Words of dictionaries and regions, held in memory and renewed when they change. Provided by the system module. */
export type LabelLookup = {
  /** Must be awaited once per request before the rest; cheap when nothing changed. */
  ready: (tenantId: string) => Promise<void>
  dict: (tenantId: string, field: Field, key: unknown, lang: Lang) => string
  hasKey: (tenantId: string, field: Field, key: string) => boolean
  entries: (tenantId: string, code: string, lang: Lang) => { key: string; label: string; colour?: string }[]
  /** Full path of a region, "浙江省/杭州市/西湖区"; "" when unknown. */
  region: (code: string) => string
  /** The region a full path names; undefined when none does. */
  regionAt: (path: string) => string | undefined
}

/** A session by what names it, where there is no token; of the tenant it was signed in to. */
export type SessionOf = Pick<Caller, 'tenantId' | 'sessionId' | 'userId'>

/** Who a token belongs to. Provided by the access module. */
export type AccessService = {
  /** undefined: no such session, expired, revoked, user gone. */
  callerOf: (token: string) => Promise<Caller | undefined>
  /** Why a token is worth nothing any more, in a word its owner's browser knows. */
  endOf?: (token: string) => Promise<string>
  /** Whether a session is still open: for addresses that carry no token and end with it. */
  isOpen: (session: SessionOf) => Promise<boolean>
  /** Those of these sessions that are still open, by their ids. */
  openSessions: (sessions: readonly SessionOf[]) => Promise<Set<string>>
  /** Who such an address was given to, with the rights they have now; undefined: the session has ended. */
  callerOfSession: (session: SessionOf) => Promise<Caller | undefined>
  /**
   * The same person with the rights they have now, for work that outlives the request; undefined when the account is
   * closed or gone.
   */
  again: (caller: Caller) => Promise<Caller | undefined>
  /** The API scope rows that guard paths, all tenants'; a path no row covers is guarded by its permission alone. */
  guardedPaths: () => Promise<readonly { id: string; path: string }[]>
  /** Refuses a wrong `Authorization: Basic` client. */
  clientOf: (authorization: string | undefined) => Promise<{ clientId: string } | undefined>
  /** A device by its own credentials (registers). */
  terminalOf: (headers: Record<string, string | string[] | undefined>) => Promise<Caller | undefined>
}

export type OperationEntry = {
  caller?: Caller
  tenantId: string
  title: string
  method: string
  uri: string
  params: unknown
  ip: string
  userAgent: string
  millis: number
  traceId: string
  status: number
  reason?: string
}

/** Operation, error and usual logs. Provided by the logs module; both mask before they write. */
export type OperationLogs = {
  /** Inside the writing transaction when there is one, so that a change and its record stand or fall together. */
  operation: (entry: OperationEntry, db?: Db) => void
  error: (entry: OperationEntry, error: unknown) => void
}

export type Config = {
  port: number
  host: string
  dataDir: string
  databaseUrl: string
  publicUrl: string
  story: 'demo' | 'empty'
  isTest: boolean
  corsOrigins: readonly string[]
  /** How many proxies stand before this process, or which; true for one of the inner network, false for none. */
  trustProxy: boolean | number | string[]
  /** Folder that months of logs are written to before they are dropped; none, and they are dropped. */
  archiveDir?: string
  /** Networks inside, and ports, where foreign databases may be read; none, and the usual two, unless said. */
  sourceNetworks?: readonly string[]
  sourcePorts?: readonly number[]
  /** How long a call waits for a database connection before it is told to come again; a few seconds unless said. */
  acquireTimeoutMs?: number
}

export type ModuleRegistry = {
  modules: readonly ModuleDefinition[]
  served: ReadonlyMap<string, ServedResource>
  resource: (name: string) => Resource<any, any>
  /** All addresses of a call that has several, by each of them. */
  addresses: ReadonlyMap<string, readonly string[]>
}

/** What is there before the modules provide theirs. */
export type BaseServices = Omit<Services, 'labels' | 'access' | 'logs'>

/** What handlers, jobs and seeds may use. One object, made at start (apps/server) and handed down. */
export type Services = {
  config: Config
  log: Logger
  /** Role store_app: one tenant at a time. */
  pool: Pool
  /**
   * Role store_platform, for machinery without a tenant: jobs, shared entries, keys. Business code uses units of work.
   */
  systemPool: Pool
  shared: SharedStore
  files: FileStore
  live: LiveStreams
  /** Fields tenants added to families by themselves. */
  own?: CustomFieldCache
  /** From the start on; tests have none unless MQTT_URL says where. */
  link?: BrokerLink
  meters: ProcessMetrics
  labels: LabelLookup
  access: AccessService
  logs: OperationLogs
  registry: ModuleRegistry
  /** Told of what the database refused, besides its caller: health watches it. */
  noteRefusal?: (error: unknown) => void
  /** The disk has no room for another change; looking things up goes on. */
  isFull?: () => boolean
  /** The clock; tests turn it. */
  now: () => Date
  /** One transaction in the name of a tenant, for jobs, callbacks and seeds. */
  unit: <T>(whose: UnitOfWorkRequest, work: (db: Db) => Promise<T>, actor?: Actor) => Promise<T>
  /** What modules provide to modules that do not know them. */
  slots: Slots
}
